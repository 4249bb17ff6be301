/** A form for the API, and its footer: the error and the buttons to submit or cancel. */
import { Alert, Button, Group, Stack, type StackProps } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import type { ApiForm } from './api-form.ts';
import { ConflictPanel } from './conflict-panel.tsx';
import { FormProblem } from './form-problem.tsx';
import type { SharedForm } from './shared-form.ts';
import { useUnsavedForms } from './unsaved.ts';

const texts = defineTexts('form-footer', {
  en: {
    cancel: 'Cancel',
    gone: 'Somebody else has removed this item',
    goneHint: 'The item can no longer be changed. You can still copy what you entered.',
  },
  zh: {
    cancel: '取消',
    gone: '该内容已被其他人移除',
    goneHint: '已无法再修改。您输入的内容仍保留在此处，可供复制。',
  },
});

export type FormFooterProps = {
  /** The label of the submit button. */
  readonly submit: string;
  readonly isRunning: boolean;
  readonly problem: Error | null;
  readonly isDisabled?: boolean;
  /** Closes the dialog that contains the form. Left out when the form is part of a page. */
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

export type FormBodyProps = Omit<FormFooterProps, 'isRunning' | 'problem'> & {
  readonly of: Pick<ApiForm<never>, 'onSubmit' | 'isRunning' | 'problem'> &
    Partial<Pick<SharedForm<never>, 'conflict' | 'isGone'>>;
  readonly gap?: StackProps['gap'];
  readonly children: ReactNode;
};

/**
 * A complete form that `useApiForm` or `useSharedForm` manages: its fields in a column, and the
 * footer.
 */
export function FormBody({ of, gap = 'md', isDisabled, children, ...footer }: FormBodyProps) {
  const t = useTexts(texts);
  const { onSubmit, isRunning, problem, conflict = null, isGone = false } = of;
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap={gap}>
        {children}
        {conflict === null ? null : <ConflictPanel conflict={conflict} />}
        {isGone ? (
          <Alert color="yellow" variant="light" icon={<IconAlertTriangle />} title={t('gone')}>
            {t('goneHint')}
          </Alert>
        ) : null}
        <FormFooter
          {...footer}
          isRunning={isRunning}
          problem={isGone ? null : problem}
          isDisabled={isDisabled === true || isGone}
        />
      </Stack>
    </form>
  );
}
