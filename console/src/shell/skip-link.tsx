/** A link at the first tab stop that skips the header and the menu. */
import { defineTexts, useTexts } from '#i18n/texts.ts';
import classes from './shell.module.css';

const texts = defineTexts('skip-link', {
  en: { skip: 'Skip to content' },
  zh: { skip: '跳到正文' },
});

/** The id of the page's main element. */
export const MAIN_ID = 'main';

export function SkipLink() {
  const t = useTexts(texts);
  return (
    <a
      className={classes['skip']}
      href={`#${MAIN_ID}`}
      onClick={(event) => {
        // Moves only the focus. Following the link would change the URL's fragment, which the
        // router uses.
        event.preventDefault();
        document.getElementById(MAIN_ID)?.focus();
      }}
    >
      {t('skip')}
    </a>
  );
}
