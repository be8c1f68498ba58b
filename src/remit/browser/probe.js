/* Watch a document for changes. `seen` is what observe.js returned; the probe hangs on it, out of the page's reach.
 * `count` is every change, `last` the time of the last that may mean more are coming (style animations do not count there). */
(seen) => {
  if (seen.probe) seen.probe.stop();
  const probe = { count: 0, last: performance.now() };
  const note = (records) => {
    probe.count += records.length;
    if (records.some((record) => record.attributeName !== 'style')) probe.last = performance.now();
  };
  const observer = new MutationObserver(note);
  const typed = () => { probe.count++; };
  const roots = [document];
  for (const root of roots) for (const element of root.querySelectorAll('*')) if (element.shadowRoot) roots.push(element.shadowRoot);
  for (const root of roots) observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
  document.addEventListener('input', typed, true);
  probe.flush = () => note(observer.takeRecords());
  probe.stop = () => { observer.disconnect(); document.removeEventListener('input', typed, true); };
  seen.probe = probe;
}
