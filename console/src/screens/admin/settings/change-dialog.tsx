/** Shows the effects of a configuration change, and makes the change when the person confirms. */
import { Alert, Button, Checkbox, Group, List, Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconAlertCircle, IconAlertTriangle } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { isStale } from '#api/api-error.ts';
import { usePerson } from '#api/session.ts';
import { ApiProblem } from '#components/api-problem.tsx';
import { Dialog } from '#components/dialog.tsx';
import { DataTable } from '#components/tables/data-table.tsx';
import { useFormats } from '#i18n/formats.ts';
import { useTexts } from '#i18n/texts.ts';
import { changeTexts } from './change-dialog-texts.ts';
import { type ConfigChange, type SendChange, useConfigChanged } from './config-queries.ts';
import { type Finding, useFindingText } from './finding-text.ts';

/** A change that was sent as a dry run, with the effects that the gateway reported. */
export type Proposal = { readonly send: SendChange; readonly plan: ConfigChange };

/**
 * Shows why a change failed. If a change was saved in the meantime, names the person and the
 * revision. This person may have saved it, even with this dialog if the answer was lost.
 */
export function ChangeProblem({ error }: { readonly error: Error }) {
  const t = useTexts(changeTexts);
  const own = usePerson()?.name;
  if (!isStale(error)) return <ApiProblem error={error} />;
  const { revision, by } = error.extra;
  return (
    <Alert color="yellow" variant="light" icon={<IconAlertTriangle />} role="alert">
      <Text size="sm">
        {t(by === own ? 'staleOwn' : 'stale', { revision: String(revision), by: String(by) })}
      </Text>
    </Alert>
  );
}

export type ChangeDialogProps = {
  /** The proposed change; null while the dialog is closed. */
  readonly proposal: Proposal | null;
  readonly title?: string;
  readonly submit?: string;
  /** The text to type for confirmation, such as the name of what is removed. */
  readonly phrase?: string;
  /** Further information about the change, shown below the changed settings. */
  readonly children?: ReactNode;
  readonly onClose: () => void;
  /** Called after the change is made, before the pages refetch the settings. */
  readonly onMade?: () => Promise<void> | void;
};

export function ChangeDialog({ proposal, title, onClose, ...rest }: ChangeDialogProps) {
  const t = useTexts(changeTexts);
  return (
    <Dialog opened={proposal !== null} onClose={onClose} title={title ?? t('review')} size="xl">
      {proposal === null ? null : <Preview {...rest} proposal={proposal} onClose={onClose} />}
    </Dialog>
  );
}

type PreviewProps = Omit<ChangeDialogProps, 'title' | 'proposal'> & {
  readonly proposal: Proposal;
};

function Preview({ proposal: { send, plan }, children, ...options }: PreviewProps) {
  const { submit, phrase, onClose, onMade } = options;
  const t = useTexts(changeTexts);
  const [note, setNote] = useState('');
  const [isConfirmed, setConfirmed] = useState(false);
  const [typed, setTyped] = useState('');
  const changed = useConfigChanged();
  const doubtful = plan.warnings.filter(({ needs_confirmation: isAsked }) => isAsked);
  const making = useMutation({
    mutationFn: () => {
      const confirm = [...new Set(doubtful.map(({ code }) => code))].join(',');
      return send({
        ...(note.trim() === '' ? {} : { note: note.trim() }),
        ...(confirm === '' ? {} : { confirm }),
      });
    },
    onSuccess: async ({ revision }) => {
      await onMade?.();
      await changed();
      notifications.show({ color: 'green', message: t('saved', { revision }) });
      onClose();
    },
    onError: (error) => (isStale(error) ? changed() : undefined),
  });
  const isPossible = plan.errors.length === 0 && plan.changes.length > 0 && !isStale(making.error);
  const isMeant = phrase === undefined || typed.trim() === phrase;
  const isAllowed = isPossible && isMeant && (isConfirmed || doubtful.length === 0);
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (isAllowed && !making.isPending) making.mutate();
  };
  return (
    <form onSubmit={onSubmit}>
      <Stack>
        <Plan plan={plan} />
        {plan.errors.length > 0 ? null : children}
        {isPossible && doubtful.length > 0 ? (
          <Checkbox
            label={t('confirm')}
            checked={isConfirmed}
            onChange={({ currentTarget: { checked } }) => setConfirmed(checked)}
          />
        ) : null}
        {isPossible ? (
          <TextInput
            label={t('note')}
            description={t('noteHint')}
            maxLength={500}
            value={note}
            onChange={({ currentTarget: { value } }) => setNote(value)}
          />
        ) : null}
        {isPossible && phrase !== undefined ? (
          <TextInput
            label={t('type', { phrase })}
            styles={{ label: { overflowWrap: 'anywhere' } }}
            value={typed}
            onChange={({ currentTarget: { value } }) => setTyped(value)}
            autoComplete="off"
            spellCheck={false}
          />
        ) : null}
        {making.error === null ? null : <ChangeProblem error={making.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button
            type="submit"
            {...(phrase === undefined ? {} : { color: 'red.9' })}
            disabled={!isAllowed}
            loading={making.isPending}
          >
            {submit ?? t('save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Plan({ plan }: { readonly plan: ConfigChange }) {
  const t = useTexts(changeTexts);
  const { list } = useFormats();
  const { changes, errors, warnings, needs_restart: sections } = plan;
  return (
    <>
      {errors.length === 0 ? null : (
        <Alert color="red" variant="light" icon={<IconAlertCircle />} title={t('errors')}>
          <Findings of={errors} />
        </Alert>
      )}
      {warnings.length === 0 ? null : (
        <Alert color="yellow" variant="light" icon={<IconAlertTriangle />} title={t('warnings')}>
          <Findings of={warnings} />
        </Alert>
      )}
      {changes.length === 0 ? (
        <Text size="sm">{t('nothing')}</Text>
      ) : (
        <ChangeTable changes={changes} />
      )}
      {sections.length === 0 ? null : (
        <Text variant="note">{t('restart', { names: list(sections) })}</Text>
      )}
    </>
  );
}

/** The maximum number of findings, and of changes, that are shown. */
const MAX_SHOWN = 100;

type FindingsProps = {
  /** `where` is the line in an imported file; null if unknown. */
  readonly of: readonly (Finding & { readonly where?: string | null })[];
};

function Findings({ of }: FindingsProps) {
  const t = useTexts(changeTexts);
  const findingText = useFindingText();
  const { pair } = useFormats();
  return (
    <List size="sm" listStyleType="none">
      {of.slice(0, MAX_SHOWN).map(({ where = null, ...finding }) => (
        <List.Item
          key={`${where} ${finding.path} ${finding.message}`}
          style={{ overflowWrap: 'anywhere' }}
        >
          {where === null ? findingText(finding) : pair(where, findingText(finding))}
        </List.Item>
      ))}
      {of.length > MAX_SHOWN ? (
        <List.Item>{t('more', { count: of.length - MAX_SHOWN })}</List.Item>
      ) : null}
    </List>
  );
}

/** Changed settings with their values before and after, as JSON. Secrets are hidden. */
export function ChangeTable({ changes }: Pick<ConfigChange, 'changes'>) {
  const t = useTexts(changeTexts);
  return (
    <DataTable
      isEven
      label={t('changes')}
      rows={changes}
      keyOf={({ path }) => path}
      columns={[
        { name: 'path', heading: t('setting'), cell: ({ path }) => <Code>{path}</Code> },
        {
          name: 'before',
          heading: t('before'),
          cell: ({ before }) => <Code isFaint>{before ?? t('none')}</Code>,
        },
        {
          name: 'after',
          heading: t('after'),
          cell: ({ after }) => <Code>{after ?? t('none')}</Code>,
        },
      ]}
    />
  );
}

type CodeProps = { readonly children: string; readonly isFaint?: boolean };

const Code = ({ children, isFaint = false }: CodeProps) => (
  <Text
    span
    ff="monospace"
    fz="xs"
    {...(isFaint ? { c: 'dimmed' } : {})}
    style={{ overflowWrap: 'anywhere' }}
  >
    {children}
  </Text>
);
