/** A column: one conversation with its model and its cost so far. */
import { Button, CloseButton, Group, Stack, Text, Textarea, VisuallyHidden } from '@mantine/core';
import { IconArrowDown, IconMessages, IconPencil } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { memo, useId, useState } from 'react';
import { useSignedIn } from '#api/session.ts';
import type { Model } from '#catalogue/models.ts';
import { CopyIcon } from '#components/copy-icon.tsx';
import { Empty } from '#components/empty.tsx';
import { onSendPress } from '#components/forms/send-key.ts';
import { useTexts } from '#i18n/texts.ts';
import type { ApiKey } from '#keys/key-form.ts';
import { keysQuery } from '#keys/key-queries.ts';
import { parseAmount } from '#money/amount.ts';
import { Money } from '#money/money.tsx';
import { TargetFacts, TargetPicker } from '#screens/playground/target-picker.tsx';
import { Action } from './answer/answer-actions.tsx';
import { AnswerView } from './answer/answer-view.tsx';
import { ResultForm, ResultView } from './answer/tool-calls.tsx';
import { AttachmentList } from './attachments/attachment-list.tsx';
import classes from './chat.module.css';
import type { ChatStore } from './chat-store.ts';
import { chatTexts } from './chat-texts.ts';
import { type Message, openCalls, type Thread, type UserMessage } from './thread.ts';
import { useStuckToEnd } from './use-stuck-to-end.ts';

export type ColumnProps = {
  readonly store: ChatStore;
  readonly thread: Thread;
  /** The number of the column from the left, starting at 1. */
  readonly number: number;
  readonly models: readonly Model[];
  /** Removes the column; null for the only column. */
  readonly onRemove: ((id: string) => void) | null;
  readonly onShowCode: (threadId: string, answerId: string) => void;
};

export const Column = memo(function Column(props: ColumnProps) {
  const { store, thread, models, number } = props;
  const t = useTexts(chatTexts);
  const headingId = useId();
  const end = useStuckToEnd(thread.messages.length);
  const model = models.find(({ id }) => id === thread.model);
  const name = model?.name ?? thread.model;
  const calls = openCalls(thread);
  return (
    <section className={classes['column']} aria-labelledby={headingId}>
      {/* The heading of the column. Headings inside its answers have lower levels. */}
      <VisuallyHidden component="h2" id={headingId}>
        {t('conversation', { number, model: name })}
      </VisuallyHidden>
      <ColumnHead {...props} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll area needs keyboard access. */}
      <div ref={end.scroll} className={classes['scroll']} tabIndex={0}>
        <div ref={end.content} className={classes['messages']}>
          {thread.messages.length === 0 ? (
            <EmptyConversation store={store} name={name} models={models} />
          ) : null}
          {thread.messages.map((message) => (
            <MessageView key={message.id} message={message} {...props} />
          ))}
          {calls.length === 0 ? null : (
            <ResultForm
              calls={calls}
              onSend={(results) => store.answerCalls(thread.id, results, models)}
            />
          )}
        </div>
      </div>
      {end.isAtEnd ? null : (
        <Button
          className={classes['latest'] ?? ''}
          size="xs"
          variant="default"
          radius="xl"
          leftSection={<IconArrowDown size={14} />}
          onClick={end.toEnd}
        >
          {t('latest')}
        </Button>
      )}
    </section>
  );
});

function MessageView(props: ColumnProps & { readonly message: Message }) {
  const { message, store, thread, models, onShowCode } = props;
  switch (message.kind) {
    case 'user':
      return <UserView message={message} store={store} models={models} />;
    case 'result':
      return <ResultView name={message.name} text={message.text} />;
    case 'answer':
      return (
        <AnswerView
          message={message}
          threadId={thread.id}
          store={store}
          models={models}
          onShowCode={onShowCode}
        />
      );
  }
}

function ColumnHead({ store, thread, models, onRemove }: ColumnProps) {
  const t = useTexts(chatTexts);
  const model = models.find(({ id }) => id === thread.model);
  return (
    <div className={classes['columnHead']}>
      <Group gap="xs" wrap="nowrap">
        <TargetPicker
          models={models}
          model={thread.model}
          channel={thread.channel}
          onChange={(choice) => store.choose(thread.id, choice)}
        />
        {onRemove === null ? null : (
          <CloseButton
            aria-label={t('remove', { model: model?.name ?? thread.model })}
            onClick={() => onRemove(thread.id)}
          />
        )}
      </Group>
      <div className={classes['columnFacts']}>
        {model === undefined ? null : <TargetFacts model={model} channel={thread.channel} />}
        <Spent thread={thread} />
      </div>
    </div>
  );
}

function Spent({ thread }: { readonly thread: Thread }) {
  const t = useTexts(chatTexts);
  const spent = Object.entries(thread.spent);
  const saved = Object.entries(thread.saved).filter(([, amount]) => parseAmount(amount) > 0n);
  if (spent.length === 0) return null;
  const amounts = (list: typeof spent) =>
    list.map(([currency, amount]) => (
      <Money key={currency} amount={amount} currency={currency} ms={4} exact />
    ));
  return (
    <Text variant="caption">
      <span>{t('spent')}</span>
      {amounts(spent)}
      {saved.length === 0 ? null : (
        <>
          {' · '}
          <span>{t('saved')}</span>
          {amounts(saved)}
        </>
      )}
    </Text>
  );
}

const EXAMPLES = ['exampleExplain', 'exampleCode', 'exampleReason'] as const;

type EmptyConversationProps = {
  readonly store: ChatStore;
  readonly name: string;
  readonly models: readonly Model[];
};

/** Example prompts for an empty conversation. A click sends the example. */
function EmptyConversation({ store, name, models }: EmptyConversationProps) {
  const t = useTexts(chatTexts);
  return (
    <Empty
      icon={IconMessages}
      title={t('emptyTitle', { model: name })}
      action={
        <Stack gap="xs" w="100%" maw={460}>
          {EXAMPLES.map((example) => (
            <Button
              key={example}
              variant="default"
              fw={400}
              h="auto"
              py={8}
              styles={{ label: { whiteSpace: 'normal', textAlign: 'start', lineHeight: 1.4 } }}
              onClick={() => store.send(models, t(example))}
            >
              {t(example)}
            </Button>
          ))}
          <KeyHint />
        </Stack>
      }
    >
      {t('emptyHint')}
    </Empty>
  );
}

/** Says that the first message creates the person's playground key, unless the key exists. */
function KeyHint() {
  const t = useTexts(chatTexts);
  const { id } = useSignedIn();
  const { data } = useQuery(keysQuery);
  if (data?.some((key) => isPlaygroundKeyOf(id, key)) !== false) return null;
  return <Text variant="caption">{t('keyHint')}</Text>;
}

const isPlaygroundKeyOf = (personId: string, key: ApiKey): boolean =>
  key.purpose === 'playground' && key.created_by === personId && key.status !== 'revoked';

type UserViewProps = {
  readonly message: UserMessage;
  readonly store: ChatStore;
  readonly models: readonly Model[];
};

/** Shows a sent message, with a button to edit it. */
const UserView = memo(function UserView({ message, store, models }: UserViewProps) {
  const t = useTexts(chatTexts);
  const [isEditing, setEditing] = useState(false);
  if (isEditing) {
    return (
      <EditForm
        text={message.text}
        onCancel={() => setEditing(false)}
        onSave={(text) => {
          setEditing(false);
          store.edit(message.id, text, models);
        }}
      />
    );
  }
  return (
    <div className={classes['user']}>
      <AttachmentList attachments={message.attachments} />
      {message.text === '' ? null : <div className={classes['userText']}>{message.text}</div>}
      <Group gap={2}>
        <CopyIcon value={message.text} label={t('copy')} />
        <Action label={t('edit')} onClick={() => setEditing(true)}>
          <IconPencil size={16} />
        </Action>
      </Group>
    </div>
  );
});

type EditFormProps = {
  readonly text: string;
  readonly onSave: (text: string) => void;
  readonly onCancel: () => void;
};

function EditForm({ text: before, onSave, onCancel }: EditFormProps) {
  const t = useTexts(chatTexts);
  const [text, setText] = useState(before);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSave(text);
      }}
    >
      <Textarea
        aria-label={t('message')}
        value={text}
        autosize
        minRows={2}
        maxRows={12}
        data-autofocus
        autoFocus
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onCancel();
          onSendPress(() => onSave(text))(event);
        }}
      />
      <Group gap="xs" mt="xs" justify="flex-end">
        <Button variant="default" size="xs" onClick={onCancel}>
          {t('cancel')}
        </Button>
        <Button type="submit" size="xs" disabled={text.trim() === ''}>
          {t('save')}
        </Button>
      </Group>
    </form>
  );
}
