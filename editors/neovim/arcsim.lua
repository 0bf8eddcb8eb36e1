vim.api.nvim_create_autocmd({ "BufRead", "BufNewFile" }, { pattern = { "*.s", "*.S", "*.inc" }, callback = function(e)
  Arcsim = Arcsim or vim.lsp.start_client({ name = "arcsim", cmd = { "arcsim", "lsp" }, root_dir = vim.fn.getcwd() })
  vim.lsp.buf_attach_client(e.buf, Arcsim) end })
