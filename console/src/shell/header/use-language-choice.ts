import { notifications } from '@mantine/notifications';
import { ApiError } from '#api/api-error.ts';
import { useProblemText } from '#components/problem-texts.ts';
import type { Language } from '#i18n/languages.ts';
import { useLanguage } from '#i18n/texts.ts';

/** The current language, and a function that changes it or shows why it cannot be loaded. */
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
