/* Where a press would reach the element: [x, y] in the frame's viewport, then the element's box there and the time, such that the
 * topmost thing at the point is the element, something in it, or its label. null when there is no such point.
 * With `point`, only that point is tried. With `scroll`, an element outside the viewport is scrolled into it.
 */
([element, point, scroll]) => {
  if (!element.isConnected) return null;
  let box = element.getBoundingClientRect();
  const x = box.x + box.width / 2, y = box.y + box.height / 2;
  if (scroll && (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight)) {
    element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    box = element.getBoundingClientRect();
  }
  const up = (node) => node.assignedSlot || node.parentElement || (node.getRootNode() instanceof ShadowRoot ? node.getRootNode().host : null);
  const reaches = (x, y) => {
    if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) return false;
    let hit = document.elementFromPoint(x, y);
    while (hit && hit.shadowRoot) { const inner = hit.shadowRoot.elementFromPoint(x, y); if (!inner || inner === hit) break; hit = inner; }
    for (let node = hit; node; node = up(node)) if (node === element || (node.tagName === 'LABEL' && node.control === element)) return true;
    return false;
  };
  const found = (x, y) => [x, y, box.x, box.y, box.width, box.height, performance.now()];
  if (point) return reaches(point[0], point[1]) ? found(point[0], point[1]) : null;
  for (const part of element.getClientRects()) {
    if (part.width <= 1 || part.height <= 1) continue;
    for (const [fx, fy] of [[0.5, 0.5], [0.5, 0.25], [0.25, 0.5], [0.75, 0.5], [0.5, 0.75]]) {
      const x = part.x + part.width * fx, y = part.y + part.height * fy;
      if (reaches(x, y)) return found(x, y);
    }
  }
  return null;
}
