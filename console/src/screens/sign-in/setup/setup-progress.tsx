/** The list of the setup steps, with the current step marked. */
import { Text } from '@mantine/core';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import classes from './setup.module.css';

const texts = defineTexts('setup-progress', {
  en: { label: 'Setup steps' },
  zh: { label: '设置步骤' },
});

export type SetupProgressProps = {
  /** The step names, in order. */
  readonly steps: readonly string[];
  /** The index of the current step, starting at 0. */
  readonly current: number;
};

export function SetupProgress({ steps, current }: SetupProgressProps) {
  const t = useTexts(texts);
  return (
    <ol className={classes['steps']} aria-label={t('label')}>
      {steps.map((name, at) => (
        <li
          key={name}
          className={classes['step']}
          data-done={at <= current || undefined}
          aria-current={at === current ? 'step' : undefined}
        >
          <Text span size="xs" fw={at === current ? 600 : 400}>
            {`${at + 1}. ${name}`}
          </Text>
        </li>
      ))}
    </ol>
  );
}
