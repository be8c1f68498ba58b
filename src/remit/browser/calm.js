/* Resolves when the document is loaded and has stopped changing: true, or false when `limit` ms passed first.
 * Untouched so far, it must stay so for `still` ms (`bare` ms if it has no script); once something changed, for `busy` ms.
 * Pictures that load for long (`patience` ms after the text was complete) are not waited for. */
({ still, bare, busy, limit, patience }) => new Promise((resolve) => {
  const start = performance.now();
  let last = start, changed = false, interactive = 0;
  const observer = new MutationObserver((records) => {
    if (document.readyState !== 'loading' && records.some((record) => record.attributeName !== 'style')) { changed = true; last = performance.now(); }
  });
  const roots = [document];
  for (const root of roots) for (const element of root.querySelectorAll('*')) if (element.shadowRoot) roots.push(element.shadowRoot);
  for (const root of roots) observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
  const end = (calm) => { observer.disconnect(); document.removeEventListener('readystatechange', check); resolve(calm); };
  let timer = 0;
  const check = () => {
    clearTimeout(timer);
    const now = performance.now(), need = changed ? busy : document.scripts.length ? still : Math.min(still, bare);
    if (document.readyState !== 'loading' && !interactive) interactive = now;
    const loaded = document.readyState === 'complete' || (interactive && now - interactive > patience);
    if (loaded && now - last >= need) end(true);
    else if (now - start >= limit) end(false);
    else timer = setTimeout(check, loaded ? Math.max(1, need - (now - last)) : 100);
  };
  document.addEventListener('readystatechange', check);
  check();
})
