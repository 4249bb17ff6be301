/** The dialog with the prompts saved in this browser: save, open and delete. */
import { ActionIcon, Button, Group, Stack, Text, TextInput, Tooltip } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useSignedIn } from '#api/session.ts';
import { Dialog } from '#components/dialog.tsx';
import { useFormats } from '#i18n/formats.ts';
import { useTexts } from '#i18n/texts.ts';
import type { ChatStore } from '#screens/playground/chat/chat-store.ts';
import { promptIn, titleOf } from './prompt.ts';
import {
  type Full,
  type KeptPrompt,
  keepPrompt,
  keptPrompts,
  MAX_PROMPT_NAME,
  MAX_PROMPTS,
  removePrompt,
} from './prompt-library.ts';
import { promptsTexts } from './prompts-texts.ts';
import { showUndo } from './undo-notice.tsx';

export type PromptsDialogProps = {
  readonly store: ChatStore;
  readonly isOpen: boolean;
  readonly onClose: () => void;
};

export function PromptsDialog({ store, isOpen, onClose }: PromptsDialogProps) {
  const t = useTexts(promptsTexts);
  return (
    <Dialog opened={isOpen} onClose={onClose} title={t('prompts')}>
      <Library store={store} onClose={onClose} />
    </Dialog>
  );
}

/**
 * The list of prompts. It is mounted each time the dialog opens, so that it includes the prompts
 * that were saved in other tabs.
 */
function Library({ store, onClose }: Omit<PromptsDialogProps, 'isOpen'>) {
  const t = useTexts(promptsTexts);
  const { id } = useSignedIn();
  const [kept, setKept] = useState(() => keptPrompts(localStorage, id));
  const changed = (): void => setKept(keptPrompts(localStorage, id));
  const open = ({ name, prompt }: KeptPrompt): void => {
    showUndo(t('loaded', { name }), store.load(prompt));
    onClose();
  };
  return (
    <Stack>
      <SaveForm store={store} personId={id} onSaved={changed} />
      {kept.length === 0 ? (
        <Text variant="note">{t('empty')}</Text>
      ) : (
        <Stack gap={4} role="list" aria-label={t('prompts')}>
          {kept.map((each) => (
            <KeptRow
              key={each.name}
              kept={each}
              onOpen={() => open(each)}
              onRemove={() => {
                removePrompt(localStorage, id, each.name);
                changed();
              }}
            />
          ))}
        </Stack>
      )}
      <Text variant="caption">{t('kept', { count: kept.length, max: MAX_PROMPTS })}</Text>
    </Stack>
  );
}

type SaveFormProps = {
  readonly store: ChatStore;
  readonly personId: string;
  readonly onSaved: () => void;
};

function SaveForm({ store, personId, onSaved }: SaveFormProps) {
  const t = useTexts(promptsTexts);
  const prompt = promptIn(store.state());
  const [name, setName] = useState(prompt === null ? '' : titleOf(prompt));
  const [problem, setProblem] = useState<Full | 'missing' | null>(null);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const given = name.trim();
    const refusal =
      prompt === null || given === ''
        ? 'missing'
        : keepPrompt(localStorage, personId, { name: given, savedMs: Date.now(), prompt });
    setProblem(refusal);
    if (refusal === null) onSaved();
  };
  const errors = {
    missing: t('missing'),
    count: t('full_count', { max: MAX_PROMPTS }),
    size: t('full_size'),
  };
  return (
    <form onSubmit={submit}>
      <Group align="flex-end" gap="sm" wrap="nowrap">
        <TextInput
          label={t('name')}
          description={t('saveHint')}
          flex={1}
          data-autofocus
          maxLength={MAX_PROMPT_NAME}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <Button type="submit">{t('save')}</Button>
      </Group>
      {problem === null ? null : (
        <Text size="sm" c="red" role="alert" mt={4}>
          {errors[problem]}
        </Text>
      )}
    </form>
  );
}

type KeptRowProps = {
  readonly kept: KeptPrompt;
  readonly onOpen: () => void;
  readonly onRemove: () => void;
};

function KeptRow({ kept: { name, savedMs, prompt }, onOpen, onRemove }: KeptRowProps) {
  const t = useTexts(promptsTexts);
  const formats = useFormats();
  return (
    <Group role="listitem" justify="space-between" wrap="nowrap" gap="sm">
      <div style={{ minWidth: 0 }}>
        <Text size="sm" truncate>
          {name}
        </Text>
        <Text variant="caption" truncate>
          {prompt.model} · {formats.date(new Date(savedMs).toISOString())}
        </Text>
      </div>
      <Group gap={4} wrap="nowrap">
        <Button size="xs" variant="default" onClick={onOpen}>
          {t('load')}
        </Button>
        <Tooltip label={t('remove', { name })}>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('remove', { name })}
            onClick={onRemove}
          >
            <IconTrash size={16} />
          </ActionIcon>
        </Tooltip>
      </Group>
    </Group>
  );
}
