/** The end of a form: the error, and the buttons to submit or cancel. */
import { Button, Group } from '@mantine/core';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { FormProblem } from './form-problem.tsx';
import { useUnsavedForms } from './unsaved.ts';

const texts = defineTexts('form-footer', { en: { cancel: 'Cancel' }, zh: { cancel: '取消' } });

export type FormFooterProps = {
  /** The label of the submit button. */
  readonly submit: string;
  readonly isRunning: boolean;
  readonly problem: Error | null;
  readonly isDisabled?: boolean;
  /** Closes the dialog. Left out when the form is part of a page. */
  readonly onCancel?: () => void;
};

export function FormFooter(props: FormFooterProps) {
  const { submit, isRunning, problem, isDisabled = false, onCancel } = props;
  const t = useTexts(texts);
  const forms = useUnsavedForms();
  return (
    <>
      <FormProblem error={problem} />
      <Group justify={onCancel === undefined ? 'flex-start' : 'flex-end'}>
        {onCancel === undefined ? null : (
          <Button
            variant="default"
            onClick={() => {
              forms.forget();
              onCancel();
            }}
          >
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
