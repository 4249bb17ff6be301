/** The static frame in `index.html`, which is shown until the first screen is rendered. */
import type { AnyRouter } from '@tanstack/react-router';

/**
 * The storage key that `index.html` reads. Its value says whether the last opened page had the
 * menu.
 */
const STORAGE_KEY = 'modelgate.frame';

/**
 * Removes the static frame when the first screen appears. Saves whether the screen has the menu, so
 * that the next load shows the matching frame.
 */
export function replaceFirstFrame(router: AnyRouter): void {
  const stop = router.subscribe('onRendered', () => {
    stop();
    document.querySelector('.frame')?.remove();
    try {
      localStorage.setItem(
        STORAGE_KEY,
        document.getElementById('menu') === null ? 'plain' : 'menu',
      );
    } catch (denied) {
      console.warn(
        'the next page load will begin without a menu, because this browser refuses storage',
        denied,
      );
    }
  });
}
