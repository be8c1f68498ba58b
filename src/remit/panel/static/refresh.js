// Loads the page anew after a while, as long as nobody is about to use it by keyboard.
setInterval(() => {
  if (!document.hidden && (document.activeElement === document.body || !document.activeElement)) location.reload();
}, 1000 * Number(document.currentScript?.dataset.seconds || document.querySelector('script[data-seconds]').dataset.seconds));
