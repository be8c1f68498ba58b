/* Whether the element is where `aim` found it, at least one picture later. */
async ([element, [, , x, y, width, height, time]]) => {
  const PICTURE = 17;
  if (performance.now() - time < PICTURE) await new Promise((resolve) => { requestAnimationFrame(resolve); setTimeout(resolve, 100); });
  const now = element.getBoundingClientRect();
  return element.isConnected && now.x === x && now.y === y && now.width === width && now.height === height;
}
