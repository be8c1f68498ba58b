/* Resolves with true at the first change of the document, with false when `limit` ms pass without one. */
(limit) => new Promise((resolve) => {
  const end = (changed) => { observer.disconnect(); clearTimeout(timer); resolve(changed); };
  const observer = new MutationObserver(() => end(true));
  const roots = [document];
  for (const root of roots) for (const element of root.querySelectorAll('*')) if (element.shadowRoot) roots.push(element.shadowRoot);
  for (const root of roots) observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
  const timer = setTimeout(() => end(false), limit);
})
