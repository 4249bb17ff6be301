import { notifications } from '@mantine/notifications';
import { ApiError } from '#api/api-error.ts';
import { useProblemText } from '#components/problem-texts.ts';
import type { Language } from '#i18n/languages.ts';
import { useLanguage } from '#i18n/texts.ts';

/**
 * Returns the current language and a function that changes it. If the texts of the new language
 * cannot be loaded, the function shows an error.
 */
export function useLanguageChoice(): readonly [Language, (language: Language) => void] {
  const [language, change] = useLanguage();
  const problemText = useProblemText();
  const choose = (chosen: Language): void => {
    change(chosen).catch((thrown: unknown) => {
      const error = ApiError.unreachable(thrown);
      notifications.show({ color: 'red', message: problemText(error) ?? error.message });
    });
  };
  return [language, choose];
}
