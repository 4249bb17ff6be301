/**
 * The columns of every list of requests. Cells show more in `title` attributes, because hundreds of
 * tooltip components would slow down every click.
 */
import { useChannelName } from '#catalogue/model-facts.tsx';
import { tokensOf } from '#catalogue/usage-buckets.ts';
import { TextLink } from '#components/button-link.tsx';
import { Copyable } from '#components/copyable.tsx';
import { ShortTime } from '#components/moment.tsx';
import type { Column } from '#components/tables/column.ts';
import { moneyColumn } from '#components/tables/columns.tsx';
import { useFormats } from '#i18n/formats.ts';
import { defineTexts, type TextKey, type Translate, useTexts } from '#i18n/texts.ts';
import { useKeyNames } from '#keys/key-names.ts';
import { type RequestRecord, useMarks } from './marks.ts';
import { STATE_OF, stateTexts } from './outcome.ts';
import { RequestStatus } from './request-status.tsx';

export type { RequestRecord } from './marks.ts';

export const requestColumnTexts = defineTexts('request-columns', {
  en: {
    time: 'Time',
    model: 'Model',
    state: 'Status',
    cost: 'Cost',
    tokens: 'Tokens in / out',
    cached: 'Cached tokens',
    duration: 'Duration',
    firstToken: 'First token',
    key: 'API key',
    channel: 'Channel',
    notes: 'Notes',
    id: 'Request ID',
    code: 'Error code',
    images_one: '{{count}} image',
    images_other: '{{count}} images',
  },
  zh: {
    time: '时间',
    model: '模型',
    state: '状态',
    cost: '费用',
    tokens: '输入 / 输出 token',
    cached: '缓存 token',
    duration: '耗时',
    firstToken: '首 token',
    key: 'API 密钥',
    channel: '渠道',
    notes: '备注',
    id: '请求 ID',
    code: '错误代码',
    images_one: '{{count}} 张图片',
    images_other: '{{count}} 张图片',
  },
});

/**
 * What a click on the time of a request opens: its details in this list, its details in the request
 * list, or nothing.
 */
export type Opens = 'here' | 'list' | 'nothing';
type Name = Exclude<TextKey<typeof requestColumnTexts>, 'images_one' | 'images_other'>;
type Columns<Names extends Name> = Readonly<Record<Names, Column<RequestRecord>>>;
type Measured = 'cost' | 'tokens' | 'cached' | 'duration' | 'firstToken';

const column = (
  name: Name,
  t: Translate<TextKey<typeof requestColumnTexts>>,
  rest: Omit<Column<RequestRecord>, 'name' | 'heading'>,
): Column<RequestRecord> => ({ name, heading: t(name), ...rest });

/**
 * Returns all columns by name. Each list of requests takes those that it needs, in its own order.
 */
export function useRequestColumns(opens: Opens): Columns<Name> {
  const t = useTexts(requestColumnTexts);
  const stateName = useTexts(stateTexts);
  const channelName = useChannelName();
  const keys = useKeyNames();
  const marksOf = useMarks();
  return {
    ...useMeasuredColumns(),
    time: column('time', t, {
      cell: ({ id, at }) => <RequestTime id={id} at={at} opens={opens} />,
      value: ({ at }) => at,
      phone: 'title',
    }),
    model: column('model', t, {
      cell: ({ model }) => <span style={{ whiteSpace: 'nowrap' }}>{model}</span>,
      value: ({ model }) => model,
    }),
    state: column('state', t, {
      cell: ({ outcome, error_code: code }) => <RequestStatus outcome={outcome} code={code} />,
      value: ({ outcome }) => stateName(STATE_OF[outcome]),
      phone: 'state',
    }),
    key: column('key', t, {
      cell: ({ key_id: key }) => keys.get(key) ?? key,
      value: ({ key_id: key }) => keys.get(key) ?? key,
      show: 'wide',
      phone: 'hidden',
    }),
    channel: column('channel', t, {
      cell: ({ channel }) => channelName(channel),
      value: ({ channel }) => channel,
      show: 'wide',
      phone: 'hidden',
    }),
    notes: column('notes', t, {
      cell: (request) =>
        marksOf(request).map(({ name, hint }, at) => (
          <span key={name} title={hint}>
            {at === 0 ? name : ` · ${name}`}
          </span>
        )),
      value: (request) =>
        marksOf(request)
          .map(({ name }) => name)
          .join(', '),
      show: 'chosen',
      phone: 'hidden',
    }),
    id: column('id', t, {
      cell: ({ id }) => <Copyable value={id} shown={`${id.slice(0, 8)}…${id.slice(-6)}`} />,
      value: ({ id }) => id,
      show: 'chosen',
      phone: 'hidden',
    }),
    code: column('code', t, {
      cell: ({ error_code: code }) => code ?? '–',
      value: ({ error_code: code }) => code,
    }),
  };
}

const tokensIn = (request: RequestRecord): number =>
  tokensOf(request, 'input', 'cache_read', 'cache_write');
const tokensOut = (request: RequestRecord): number => tokensOf(request, 'output');
const cached = (request: RequestRecord): number => tokensOf(request, 'cache_read');

/** Returns the columns that contain amounts, counts or durations. */
function useMeasuredColumns(): Columns<Measured> {
  const t = useTexts(requestColumnTexts);
  const { count, duration } = useFormats();
  return {
    cost: moneyColumn('cost', t('cost'), ({ cost: amount, currency }) => ({ amount, currency }), {
      phone: 'amount',
    }),
    tokens: column('tokens', t, {
      end: true,
      cell: (request) =>
        request.images > 0
          ? t('images', { count: request.images })
          : `${count(tokensIn(request))} / ${count(tokensOut(request))}`,
      value: (request) => tokensIn(request) + tokensOut(request),
    }),
    cached: column('cached', t, {
      end: true,
      cell: (request) => count(cached(request)),
      value: cached,
      show: 'chosen',
      phone: 'hidden',
    }),
    duration: column('duration', t, {
      end: true,
      cell: ({ duration_ms: ms }) => duration(ms),
      value: ({ duration_ms: ms }) => ms,
    }),
    firstToken: column('firstToken', t, {
      end: true,
      cell: ({ first_byte_ms: ms }) => (ms === null ? '–' : duration(ms)),
      value: ({ first_byte_ms: ms }) => ms,
      show: 'wide',
      phone: 'hidden',
    }),
  };
}

type TimeProps = Pick<RequestRecord, 'id' | 'at'> & { readonly opens: Opens };

/** The time of a request, as a link to its details. */
export function RequestTime({ id, at, opens }: TimeProps) {
  const time = <ShortTime at={at} />;
  switch (opens) {
    case 'nothing':
      return time;
    case 'list':
      return (
        <TextLink inherit to="/requests" search={{ id }}>
          {time}
        </TextLink>
      );
    case 'here':
      return (
        <TextLink
          inherit
          from="/requests"
          to="/requests"
          search={(now) => ({ ...now, id })}
          resetScroll={false}
          aria-haspopup="dialog"
        >
          {time}
        </TextLink>
      );
  }
}
