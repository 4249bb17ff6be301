/** The conversations side by side, the message field and the settings. */
import { useCallback, useRef, useState } from 'react';
import type { Model } from '#catalogue/models.ts';
import { Sheet } from '#components/dialog.tsx';
import { useTexts } from '#i18n/texts.ts';
import type { ModelRequest } from '#snippets/request.ts';
import classes from './chat.module.css';
import { requestOf } from './chat-body.ts';
import type { ChatState, ChatStore } from './chat-store.ts';
import { chatTexts } from './chat-texts.ts';
import { Column } from './column.tsx';
import { Composer } from './composer.tsx';
import { ProgramDialog } from './program-dialog.tsx';
import type { Target } from './settings/parameters.ts';
import { SettingsPanel } from './settings/settings-panel.tsx';
import { before, mayGoOn, runningAnswer, type Thread } from './thread.ts';

export type WorkspaceProps = {
  readonly store: ChatStore;
  readonly state: ChatState;
  readonly models: readonly Model[];
  /** Whether the settings sheet is open. Only used on screens without space for the panel. */
  readonly isSheetOpen: boolean;
  readonly onCloseSheet: () => void;
};

export function Workspace({ store, state, models, isSheetOpen, onCloseSheet }: WorkspaceProps) {
  const t = useTexts(chatTexts);
  const { threads, settings, draft } = state;
  const targets = useTargets(threads, models);
  const targetModels = useStable(
    targets.map(({ model }) => model),
    haveSameItems,
  );
  const [shown, setShown] = useState<ModelRequest | null>(null);
  const showCode = useCallback(
    (threadId: string, answerId: string) =>
      setShown(requestBehind(store, models, threadId, answerId)),
    [store, models],
  );
  const remove = useCallback((id: string) => store.removeThread(id), [store]);
  const panel = <SettingsPanel store={store} settings={settings} targets={targets} />;
  return (
    <div className={classes['workspace']}>
      <div className={classes['main']}>
        <div className={classes['columns']}>
          {threads.map((thread, at) => (
            <Column
              key={thread.id}
              store={store}
              thread={thread}
              number={at + 1}
              models={models}
              onRemove={threads.length > 1 ? remove : null}
              onShowCode={showCode}
            />
          ))}
        </div>
        <Composer
          store={store}
          draft={draft}
          models={models}
          targetModels={targetModels}
          columns={threads.length}
          isRunning={threads.some((thread) => runningAnswer(thread) !== null)}
          isBlocked={!threads.some(mayGoOn)}
        />
      </div>
      <section className={classes['settings']} aria-label={t('settings')}>
        {panel}
      </section>
      <Sheet opened={isSheetOpen} onClose={onCloseSheet} title={t('settings')} size="sm">
        {panel}
      </Sheet>
      <ProgramDialog request={shown} onClose={() => setShown(null)} />
    </div>
  );
}

/**
 * Returns the request that would generate an answer again with the current settings; null if the
 * conversation was removed.
 */
function requestBehind(
  store: ChatStore,
  models: readonly Model[],
  threadId: string,
  answerId: string,
): ModelRequest | null {
  const { threads, settings } = store.state();
  const thread = threads.find(({ id }) => id === threadId);
  if (thread === undefined) return null;
  const answer = thread.messages.find(({ id }) => id === answerId);
  const by =
    answer?.kind === 'answer'
      ? { model: answer.answer.model, channel: answer.answer.requestedChannel }
      : thread;
  const model = models.find(({ id }) => id === by.model);
  const asked = { ...before(thread, answerId), model: by.model, channel: by.channel };
  return requestOf(asked, settings, model === undefined ? null : { model, channel: by.channel });
}

/**
 * Returns the target of each column. The array is replaced only when a target changes, so it stays
 * the same while answers stream.
 */
function useTargets(threads: readonly Thread[], models: readonly Model[]): readonly Target[] {
  const targets = threads.flatMap(({ model: id, channel }) => {
    const model = models.find((each) => each.id === id);
    return model === undefined ? [] : [{ model, channel }];
  });
  return useStable(targets, haveSameTargets);
}

const haveSameTargets = (one: readonly Target[], other: readonly Target[]): boolean =>
  one.length === other.length &&
  one.every(
    ({ model, channel }, at) => model === other[at]?.model && channel === other[at].channel,
  );

const haveSameItems = <Item,>(one: readonly Item[], other: readonly Item[]): boolean =>
  one.length === other.length && one.every((item, at) => item === other[at]);

/** Returns the previous value while the new value is equal to it, so that React sees no change. */
function useStable<Value>(value: Value, isSame: (one: Value, other: Value) => boolean): Value {
  const kept = useRef(value);
  if (!isSame(kept.current, value)) kept.current = value;
  return kept.current;
}
