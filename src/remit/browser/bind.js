/* Binds keys to one element of this document until `release`: a key that would go to any other is swallowed. `kept` is the field,
 * or the embedded frame that holds it. `release` says how many went astray.
 */
(kept) => {
  let strays = 0;
  const stray = (event) => {
    if (event.composedPath()[0] === kept) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    strays++;
  };
  const kinds = ['keydown', 'keypress', 'beforeinput'];
  for (const kind of kinds) window.addEventListener(kind, stray, true);
  return {
    release: () => {
      for (const kind of kinds) window.removeEventListener(kind, stray, true);
      return strays;
    },
  };
}
