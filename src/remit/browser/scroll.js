/* One step down, or to the top. Scrolls what surrounds the control; without one the window; if that cannot scroll, the largest
 * box that can. Returns [moved, at the end]. */
(seen, [index, to]) => {
  const root = document.scrollingElement || document.documentElement;
  const up = (node) => node.assignedSlot || node.parentElement || (node.getRootNode() instanceof ShadowRoot ? node.getRootNode().host : null);
  // The body's overflow is the viewport's, unless the root element has one of its own (CSS Overflow, "propagation").
  const propagated = (el) => el === document.body && el !== root && getComputedStyle(document.documentElement).overflowY === 'visible';
  const scrolls = (el) => !propagated(el) && el.scrollHeight > el.clientHeight + 1 && el.clientHeight > 20 && (el === root || /auto|scroll|overlay/.test(getComputedStyle(el).overflowY));
  let box = null;
  if (index !== null && seen.elements[index]) for (let el = seen.elements[index]; el && !box; el = up(el)) if (scrolls(el)) box = el;
  if (!box && scrolls(root)) box = root;
  if (!box) {
    let size = 0;
    const walk = (el) => {
      if (el.clientHeight * el.clientWidth > size && scrolls(el)) { box = el; size = el.clientHeight * el.clientWidth; }
      for (const child of (el.shadowRoot || el).children) walk(child);
    };
    walk(document.body);
  }
  box = box || root;
  const before = box.scrollTop;
  box.scrollTo({ top: to === 'top' ? 0 : before + Math.max(40, Math.floor((box === root ? innerHeight : box.clientHeight) * 0.9)), behavior: 'instant' });
  const height = box === root ? innerHeight : box.clientHeight;
  return [box.scrollTop !== before, to === 'top' ? box.scrollTop <= 0 : box.scrollTop + height >= box.scrollHeight - 1];
}
