/** A column: one conversation with its model and its cost so far. */
import { Button, CloseButton, Group, Text, VisuallyHidden } from '@mantine/core';
import { IconArrowDown } from '@tabler/icons-react';
import { memo, useId } from 'react';
import type { Model } from '#catalogue/models.ts';
import { useTexts } from '#i18n/texts.ts';
import { parseAmount } from '#money/amount.ts';
import { Money } from '#money/money.tsx';
import { TargetFacts, TargetPicker } from '#screens/playground/target-picker.tsx';
import { AnswerView } from './answer/answer-view.tsx';
import { ResultForm, ResultView } from './answer/tool-calls.tsx';
import classes from './chat.module.css';
import type { ChatStore } from './chat-store.ts';
import { chatTexts } from './chat-texts.ts';
import { EmptyConversation } from './empty-conversation.tsx';
import { type Message, openCalls, type Thread } from './thread.ts';
import { useStuckToEnd } from './use-stuck-to-end.ts';
import { UserView } from './user-view.tsx';

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
      {/* Headings inside answers are nested below this heading. */}
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
    <Text size="xs" c="dimmed">
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
