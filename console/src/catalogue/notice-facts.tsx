/** Shows the state of an incident or maintenance notice, and names what the notice affects. */
import type { components } from '#api/schema.gen.ts';
import { Status, type Tone } from '#components/status.tsx';
import { useFormats } from '#i18n/formats.ts';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { useChannelName } from './model-facts.tsx';

export type Notice = components['schemas']['Notice'];

export const noticeTexts = defineTexts('notices', {
  en: {
    investigating: 'Investigating',
    identified: 'Identified',
    monitoring: 'Monitoring',
    resolved: 'Resolved',
    scheduled: 'Scheduled',
    in_progress: 'In progress',
    completed: 'Completed',
    canceled: 'Canceled',
    everything: 'Everything',
  },
  zh: {
    investigating: '排查中',
    identified: '已定位',
    monitoring: '观察中',
    resolved: '已恢复',
    scheduled: '已计划',
    in_progress: '进行中',
    completed: '已完成',
    canceled: '已取消',
    everything: '全部',
  },
});

const TONES: Readonly<Record<Notice['state'], Tone>> = {
  investigating: 'bad',
  identified: 'bad',
  monitoring: 'attention',
  resolved: 'quiet',
  scheduled: 'quiet',
  in_progress: 'attention',
  completed: 'quiet',
  canceled: 'quiet',
};

export function NoticeState({ state }: Pick<Notice, 'state'>) {
  const t = useTexts(noticeTexts);
  return <Status tone={TONES[state]}>{t(state)}</Status>;
}

type Affected = { readonly [Key in keyof Notice['affects'][number]]: string | null };

/** Returns a function that names the affected models and channels. */
export function useAffectedNames(): (affects: readonly Affected[]) => string {
  const t = useTexts(noticeTexts);
  const { list } = useFormats();
  const channelName = useChannelName();
  return (affects) =>
    affects.length === 0
      ? t('everything')
      : list(
          affects.map(({ model, name, channel }) =>
            [name ?? model, channel === null ? null : channelName(channel)]
              .filter((part) => part !== null)
              .join(' · '),
          ),
        );
}
