/** The first stop of the keyboard: past the header and the menu, to the page. */
import { defineTexts, useTexts } from '../i18n/texts.ts';
import classes from './shell.module.css';

const texts = defineTexts('skip-link', {
  en: { skip: 'Skip to content' },
  zh: { skip: '跳到正文' },
});

/** The id of the element that holds the page. */
export const MAIN_ID = 'main';

export function SkipLink() {
  const t = useTexts(texts);
  return (
    <a
      className={classes['skip']}
      href={`#${MAIN_ID}`}
      onClick={(event) => {
        // The address stays as it is: its fragment is not the router's to lose.
        event.preventDefault();
        document.getElementById(MAIN_ID)?.focus();
      }}
    >
      {t('skip')}
    </a>
  );
}
