-- Requests to arcsim lsp by neovim's own client. The file main.s of a program of two files is open.
local requests = 0
local main = vim.api.nvim_get_current_buf()

local function check(got, want, what)
  if not vim.deep_equal(got, want) then
    error(what .. ": " .. vim.inspect(got) .. ", not " .. vim.inspect(want))
  end
end

-- attached waits for the client of a buffer.
local function attached(buffer)
  assert(vim.wait(10000, function()
    for _, c in pairs(vim.lsp.buf_get_clients(buffer)) do
      if c.initialized and c.server_capabilities then return true end
    end
  end), "no client")
end

local function ask(buffer, method, params)
  requests = requests + 1
  params.textDocument = { uri = vim.uri_from_bufnr(buffer) }
  local answers = assert(vim.lsp.buf_request_sync(buffer, method, params, 10000), method .. ": no answer")
  for _, a in pairs(answers) do return a.result, a.error end
end

local function at(line, character, more)
  return vim.tbl_extend("force", { position = { line = line, character = character } }, more or {})
end

-- places lists locations as FILE:LINE:COLUMN.
local function places(list)
  local out = {}
  for _, l in ipairs(list or {}) do
    table.insert(out, vim.fn.fnamemodify(vim.uri_to_fname(l.uri), ":t") .. ":" .. l.range.start.line .. ":" .. l.range.start.character)
  end
  table.sort(out)
  return out
end

local function session()
  attached(main)
  vim.cmd("edit lib.inc")
  local lib = vim.api.nvim_get_current_buf()
  attached(lib)
  check(#vim.tbl_keys(vim.lsp.buf_get_clients(lib)), 1, "clients of a buffer")

  for _, x in ipairs({
    { main, 2, 8, "mov<.f>" }, { main, 2, 12, "core register 0" }, { main, 2, 15, "constant 4" }, { main, 3, 4, "how sure" }, { main, 4, 3, "brne" },
    { main, 5, 2, "macro" }, { main, 5, 8, "kept" and "core register 1" }, { main, 7, 5, "label in .text" }, { main, 0, 3, "text of a file" }, { main, 1, 3, "other objects" },
    { lib, 0, 3, "a value" }, { lib, 0, 7, "constant 4" }, { lib, 2, 3, "a macro up to" }, { lib, 4, 4, "sub<.f>" }, { lib, 14, 5, "return address" }, { lib, 13, 2, "label in .text" },
  }) do
    local got = ask(x[1], "textDocument/hover", at(x[2], x[3]))
    assert(got and got.contents.value:find(x[4], 1, true), x[2] .. ":" .. x[3] .. ": " .. vim.inspect(got))
  end
  check(ask(main, "textDocument/hover", at(99, 0)), nil, "hover behind the end")

  for _, x in ipairs({
    { main, 2, 15, "lib.inc:0:6" }, { main, 4, 15, "main.s:3:0" }, { main, 8, 5, "main.s:8:0" }, { main, 5, 2, "lib.inc:2:8" }, { main, 7, 5, "lib.inc:13:0" },
    { main, 10, 5, "lib.inc:13:0" }, { main, 0, 13, "lib.inc:0:0" }, { lib, 5, 18, "lib.inc:4:0" }, { lib, 4, 8, "lib.inc:2:14" }, { lib, 6, 6, "lib.inc:7:0" },
  }) do
    check(places(ask(x[1], "textDocument/definition", at(x[2], x[3]))), { x[4] }, "definition at " .. x[2] .. ":" .. x[3])
  end
  for _, x in ipairs({
    { lib, 0, 7, { "lib.inc:0:6", "lib.inc:5:12", "main.s:2:14", "main.s:4:9" } }, { main, 3, 0, { "main.s:3:0", "main.s:4:14" } },
    { lib, 4, 0, { "lib.inc:4:0", "lib.inc:5:17" } }, { main, 5, 1, { "lib.inc:11:1", "lib.inc:2:8", "main.s:5:1", "main.s:6:1" } },
  }) do
    check(places(ask(x[1], "textDocument/references", at(x[2], x[3], { context = { includeDeclaration = true } }))), x[4], "references at " .. x[2] .. ":" .. x[3])
  end
  check(#ask(main, "textDocument/documentHighlight", at(3, 0)), 2, "highlight")
  check(ask(main, "textDocument/prepareRename", at(7, 5)).placeholder, "helper", "prepareRename")
  local _, refused = ask(main, "textDocument/rename", at(7, 5, { newName = "r1" }))
  assert(refused.message:find("register"), refused.message)

  -- Renaming changes the buffers.
  local edits = ask(main, "textDocument/rename", at(7, 5, { newName = "other" }))
  vim.lsp.util.apply_workspace_edit(edits, "utf-16")
  check(vim.api.nvim_buf_get_lines(main, 7, 8, false), { "\tbl\tother" }, "renamed")
  check(vim.api.nvim_buf_get_lines(lib, 13, 14, false), { "other:" }, "renamed")
  check(#ask(lib, "textDocument/documentSymbol", {}), 4, "symbols") -- a request sends the changes of its buffer first
  check(places(ask(main, "textDocument/definition", at(7, 5))), { "lib.inc:13:0" }, "definition of the new name")

  local symbols = ask(main, "textDocument/documentSymbol", {})
  check({ symbols[1].name, #symbols }, { "start", 1 }, "symbols")
  check(ask(lib, "textDocument/foldingRange", {}), { { startLine = 2, endLine = 8 }, { startLine = 9, endLine = 12 } }, "folding")
  check(ask(main, "textDocument/foldingRange", {})[1], { startLine = 9, endLine = 11 }, "folding")
  local options = { tabSize = 8, insertSpaces = false }
  check(ask(main, "textDocument/formatting", { options = options }), {}, "formatting")
  local range = { start = { line = 0, character = 0 }, ["end"] = { line = 99, character = 0 } }
  check(ask(main, "textDocument/inlayHint", { range = range })[1].label, "branch 1 · loop: 3 cycles for 2 instructions", "inlay hint")
  check(#ask(main, "textDocument/semanticTokens/full", {}).data % 5, 0, "tokens")

  -- Diagnostics and completion follow what is typed; formatting changes the buffer.
  local function line(n, text)
    vim.api.nvim_buf_set_lines(main, n, n + 1, false, { text })
  end
  line(3, "1: nope r0 ; 😀")
  assert(vim.wait(10000, function() return #vim.diagnostic.get(main) > 0 end), "no diagnostic")
  local d = vim.diagnostic.get(main)[1]
  check({ d.lnum, d.col, d.message, d.source }, { 3, 3, 'unknown instruction "nope", did you mean nop', "arcsim" }, "diagnostic")
  local function complete(n, text)
    line(n, text)
    local labels = {}
    for _, item in ipairs(ask(main, "textDocument/completion", at(n, #text)).items) do table.insert(labels, item.label) end
    return labels
  end
  check(complete(3, "\tCL"), { "clri", "CLEAR" }, "completion")
  check(complete(3, "\t.al"), { ".align", ".altmacro" }, "completion")
  check(complete(3, "\tmov r1,SI"), { "SIZE" }, "completion")
  check(complete(3, "\tbl oth"), { "other" }, "completion")
  assert(vim.tbl_contains(complete(3, "\tlr r0,[dsp_c"), "dsp_ctrl"))
  line(3, "1: add r0,r0,1 ; 😀")
  local changes = ask(main, "textDocument/formatting", { options = options })
  vim.lsp.util.apply_text_edits(changes, main, "utf-16")
  check(vim.api.nvim_buf_get_lines(main, 3, 4, false), { "1:\tadd\tr0,r0,1\t\t\t; 😀" }, "formatted")
  assert(vim.wait(10000, function() return #vim.diagnostic.get(main) == 0 end), "the diagnostic stays")
  local _, unknown = ask(main, "textDocument/flyAway", {})
  check(unknown.code, -32601, "unknown method")
  local item = ask(main, "completionItem/resolve", { label = "vmac2h", kind = 3 })
  assert(item.documentation.value:find("how sure"))
end

local ok, why = xpcall(session, debug.traceback)
io.stdout:write(ok and ("passed with " .. requests .. " requests\n") or (why .. "\n"))
vim.cmd(ok and "qall!" or "cquit")
