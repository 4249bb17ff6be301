/** The end of a form: why it was refused, and the buttons that send it or leave it. */
import { Button, Group } from '@mantine/core';
import { defineTexts, useTexts } from '../../i18n/texts.ts';
import { FormProblem } from './form-problem.tsx';

const texts = defineTexts('form-footer', { en: { cancel: 'Cancel' }, zh: { cancel: '取消' } });

export type FormFooterProps = {
  /** On the button that sends the form. */
  readonly submit: string;
  readonly isRunning: boolean;
  readonly problem: Error | null;
  readonly isDisabled?: boolean;
  /** In a dialog; left out: the form stands in a page. */
  readonly onCancel?: () => void;
};

export function FormFooter(props: FormFooterProps) {
  const { submit, isRunning, problem, isDisabled = false, onCancel } = props;
  const t = useTexts(texts);
  return (
    <>
      <FormProblem error={problem} />
      <Group justify={onCancel === undefined ? 'flex-start' : 'flex-end'}>
        {onCancel === undefined ? null : (
          <Button variant="default" onClick={onCancel}>
            {t('cancel')}
          </Button>
        )}
        <Button type="submit" loading={isRunning} disabled={isDisabled}>
          {submit}
        </Button>
      </Group>
    </>
  );
}
