"use strict";
// The script beside the page says what is new. A page from a file may load a script, but read no file. When the script is gone,
// nobody writes the page any more.
(() => {
  const { from, version } = document.currentScript.dataset;
  const box = document.createElement("pre");
  box.setAttribute("role", "alert");
  box.style.cssText = "position:fixed; z-index:9; inset:auto 0 0 0; margin:0; padding:.8rem 2rem; max-height:50vh; overflow:auto; white-space:pre-wrap; background:var(--card); color:var(--bad); border-top:2px solid var(--bad); font:.85rem/1.5 ui-monospace,monospace";
  box.hidden = true;
  document.body.append(box);
  // What is open stays open, by the titles of the parts.
  const parts = [...document.querySelectorAll("details")];
  const title = part => {
    const outer = part.parentElement.closest("details, section");
    return (outer?.matches("details") ? title(outer) : outer?.id ?? "") + "/" + part.querySelector("summary").firstChild.textContent;
  };
  for (const part of parts) part.open = history.state?.[title(part)] ?? part.open;
  const keep = () => history.replaceState(Object.fromEntries(parts.map(part => [title(part), part.open])), "");
  globalThis.arcsimNews = (now, message) => {
    if (now !== version) {
      keep();
      location.reload();
      return;
    }
    if (box.textContent !== message) box.textContent = message;
    box.hidden = message === "";
  };
  const ask = () => {
    if (document.hidden) {
      document.addEventListener("visibilitychange", ask, { once: true });
      return;
    }
    const script = document.createElement("script");
    script.src = from + "?" + Date.now();
    script.onload = () => { script.remove(); setTimeout(ask, 300); };
    script.onerror = () => script.remove();
    document.head.append(script);
  };
  ask();
})();
