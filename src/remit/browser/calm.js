/* Watches a document from now on. Returned to the caller alone, out of the page's reach: `rest` says when the document is calm,
 * `stop` ends the watch.
 *
 * `rest` resolves when the document is loaded and has stopped changing: true, or false when `limit` ms passed first. Untouched
 * since it was asked, the document must not have changed for `still` ms (`bare` ms if it has no script); once something changes,
 * for `busy` ms. What was still before it was asked counts, unless the answer is to be `fresh`: after an act.
 * Pictures that load for long (`patience` ms after the text was complete) are not waited for.
 */
() => {
  const GRACE = 10; // a document that became complete runs its handlers now
  const roots = new Set();
  let last = performance.now(), changes = 0, interactive = document.readyState === 'loading' ? 0 : last, complete = 0, wake = () => {};
  const observer = new MutationObserver((records) => {
    if (document.readyState === 'loading' || !records.some((record) => record.attributeName !== 'style')) return;
    changes++; last = performance.now();
  });
  const follow = () => {
    let found = roots.size === 0;
    const add = (root) => {
      if (!roots.has(root)) { observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true }); roots.add(root); found = true; }
      for (const element of root.querySelectorAll('*')) if (element.shadowRoot) add(element.shadowRoot);
    };
    add(document);
    return found;
  };
  const turned = () => {
    observer.takeRecords(); // what the parser put there is the document, not a change of it
    if (!interactive) interactive = performance.now();
    if (document.readyState === 'complete') complete = performance.now();
    wake();
  };
  document.addEventListener('readystatechange', turned);
  follow();
  return {
    stop: () => { observer.disconnect(); document.removeEventListener('readystatechange', turned); },
    rest: ({ still, bare, busy, limit, patience, fresh }) => new Promise((resolve) => {
      const start = performance.now(), before = changes;
      if (follow()) last = start;
      let timer = 0;
      const end = (calm) => { clearTimeout(timer); wake = () => {}; resolve(calm); };
      const check = () => {
        clearTimeout(timer);
        const now = performance.now(), need = changes !== before ? busy : document.scripts.length ? still : Math.min(still, bare);
        const until = Math.max((fresh ? Math.max(last, start) : last) + need, complete + Math.min(need, GRACE));
        const loaded = document.readyState === 'complete' || (interactive && now - interactive > patience);
        if (loaded && now >= until) end(true);
        else if (now - start >= limit) end(false);
        else timer = setTimeout(check, loaded ? Math.max(1, until - now) : 100);
      };
      wake = check;
      check();
    }),
  };
}
