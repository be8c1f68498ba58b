/* Watch a document for changes. `seen` is what observe.js returned; the probe hangs on it, out of the page's reach.
 * `count` is every change, `told` those that say that something came of an act (style animations do not). */
(seen) => {
  if (seen.probe) seen.probe.stop();
  const probe = { count: 0, told: 0 };
  const note = (records) => {
    probe.count += records.length;
    probe.told += records.filter((record) => record.attributeName !== 'style').length;
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
