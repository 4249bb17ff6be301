/** Forms for the settings in the database, by topic. All changes are saved as one revision. */
import { Button, Card, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { isStale } from '#api/api-error.ts';
import type { JsonObject } from '#api/json.ts';
import { useUnsaved } from '#components/forms/unsaved.ts';
import { SectionCard } from '#components/section-card.tsx';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { ChangeDialog, ChangeProblem, type Proposal } from './change-dialog.tsx';
import {
  patchConfig,
  type SendChange,
  type SettingField,
  useConfigChanged,
} from './config-queries.ts';
import {
  type Edits,
  isOffered,
  openEdits,
  patchOf,
  pathOf,
  withEdit,
  writtenValue,
} from './setting-edits.ts';
import { SettingInput } from './setting-input.tsx';
import { topicTexts } from './setting-names.ts';
import classes from './settings.module.css';
import { topicsOf } from './settings-groups.ts';

const texts = defineTexts('admin-settings-form', {
  en: {
    unsaved_one: '{{count}} unsaved change',
    unsaved_other: '{{count}} unsaved changes',
    discard: 'Discard',
    review: 'Review changes',
  },
  zh: {
    unsaved_one: '{{count}} 项未保存的更改',
    unsaved_other: '{{count}} 项未保存的更改',
    discard: '放弃',
    review: '检查更改',
  },
});

export type SettingsFormProps = {
  readonly fields: readonly SettingField[];
  readonly revision: number;
  /** Whether to show a setting. Changed settings and those with errors are always shown. */
  readonly isWanted: (field: SettingField) => boolean;
  /** Determines how the edits are sent; by default, as a plain merge patch. */
  readonly sender?: Sender;
  /** A second button beside the one that saves: its label, and what it does with the edits. */
  readonly trial?: { readonly label: string; readonly run: (patch: JsonObject) => void };
};

/** Returns a function that sends `edits`, the changed values of `fields`, to the API. */
export type Sender = (fields: readonly SettingField[], edits: Edits) => SendChange;

type Errors = ReadonlyMap<string, string>;
const NO_EDITS: Edits = new Map();
const NO_ERRORS: Errors = new Map();

export function SettingsForm({
  fields,
  revision,
  isWanted,
  sender = (of, changed) => patchConfig(revision, patchOf(of, changed)),
  trial,
}: SettingsFormProps) {
  const topic = useTexts(topicTexts);
  const [typed, setEdits] = useState(NO_EDITS);
  const [errors, setErrors] = useState(NO_ERRORS);
  const [proposal, setProposal] = useState<Proposal | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const edits = openEdits(fields, typed);
  const saved = useUnsaved(edits.size > 0);
  const { propose, ...trying } = useTrying({ fields, edits, sender, setErrors, setProposal });
  const shown = fields.filter(
    (field) =>
      isOffered(field, fields, edits) &&
      (isWanted(field) || edits.has(pathOf(field)) || errors.has(pathOf(field))),
  );
  useEffect(() => {
    const [first] = errors.keys();
    if (first === undefined) return;
    form.current?.querySelector<HTMLElement>(`[data-setting="${CSS.escape(first)}"]`)?.focus();
  }, [errors]);
  const edit = (field: SettingField, value: SettingField['value']): void => {
    setEdits(withEdit(edits, field, value));
    setErrors(new Map([...errors].filter(([path]) => path !== pathOf(field))));
  };
  const discard = (): void => {
    setEdits(NO_EDITS);
    setErrors(NO_ERRORS);
    trying.reset();
  };
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (edits.size > 0 && !trying.isRunning) propose();
  };
  return (
    <>
      <form ref={form} onSubmit={onSubmit} noValidate style={{ display: 'contents' }}>
        {topicsOf(shown).map(({ name, settings }) => (
          <SectionCard key={name} title={topic(name)}>
            <div>
              {settings.map((field) => (
                <SettingInput
                  key={pathOf(field)}
                  field={field}
                  value={writtenValue(field, edits)}
                  error={errors.get(pathOf(field))}
                  onChange={(value) => edit(field, value)}
                />
              ))}
            </div>
          </SectionCard>
        ))}
        {trying.problem === null ? null : <ChangeProblem error={trying.problem} />}
        {edits.size === 0 ? null : (
          <UnsavedBar count={edits.size} isRunning={trying.isRunning} onDiscard={discard}>
            {trial === undefined ? null : (
              <Button variant="default" onClick={() => trial.run(patchOf(fields, edits))}>
                {trial.label}
              </Button>
            )}
          </UnsavedBar>
        )}
      </form>
      <ChangeDialog
        proposal={proposal}
        onClose={() => setProposal(null)}
        onMade={() => {
          saved();
          discard();
        }}
      />
    </>
  );
}

type UnsavedBarProps = {
  readonly count: number;
  readonly isRunning: boolean;
  readonly onDiscard: () => void;
  readonly children: ReactNode;
};

function UnsavedBar({ count, isRunning, onDiscard, children }: UnsavedBarProps) {
  const t = useTexts(texts);
  return (
    <Card className={classes['bar'] ?? ''} padding="sm" shadow="md">
      <Group justify="space-between">
        <Text size="sm" role="status">
          {t('unsaved', { count })}
        </Text>
        <Group gap="xs">
          <Button variant="default" onClick={onDiscard}>
            {t('discard')}
          </Button>
          {children}
          <Button type="submit" loading={isRunning}>
            {t('review')}
          </Button>
        </Group>
      </Group>
    </Card>
  );
}

type Trying = Pick<SettingsFormProps, 'fields'> & {
  readonly sender: Sender;
  readonly edits: Edits;
  readonly setErrors: (errors: Errors) => void;
  readonly setProposal: (proposal: Proposal) => void;
};

/**
 * Sends the edits as a dry run, and shows the errors at their fields. Opens a dialog with the
 * change if there are no errors, or if an error belongs to no field.
 */
function useTrying({ fields, edits, sender, setErrors, setProposal }: Trying) {
  const changed = useConfigChanged();
  const trying = useMutation({
    mutationFn: async (): Promise<Proposal> => {
      const send = sender(fields, edits);
      return { send, plan: await send({ dry_run: 'true' }) };
    },
    onSuccess: (proposal) => {
      const paths = new Set(fields.map(pathOf));
      const { errors } = proposal.plan;
      setErrors(new Map(errors.map(({ path, message }) => [path, message])));
      if (errors.length === 0 || errors.some(({ path }) => !paths.has(path))) {
        setProposal(proposal);
      }
    },
    onError: (error) => (isStale(error) ? changed() : undefined),
  });
  return {
    propose: () => trying.mutate(),
    reset: () => trying.reset(),
    isRunning: trying.isPending,
    problem: trying.error,
  };
}
