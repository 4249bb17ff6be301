/** The first columns of every short list of requests. */
import { TextLink } from '#components/button-link.tsx';
import { Ago } from '#components/moment.tsx';
import type { Column } from '#components/tables/data-table.tsx';
import { defineTexts, useTexts } from '#i18n/texts.ts';

const texts = defineTexts('request-columns', {
  en: { when: 'Time', model: 'Model' },
  zh: { when: '时间', model: '模型' },
});

type Listed = { readonly id: string; readonly at: string; readonly model: string };

/** The columns for the time, which links to the details, and for the model. */
export function useRequestColumns(): readonly Column<Listed>[] {
  const t = useTexts(texts);
  return [
    {
      name: 'when',
      heading: t('when'),
      cell: ({ id, at }) => (
        <TextLink size="sm" to="/requests" search={{ id }}>
          <Ago at={at} />
        </TextLink>
      ),
    },
    {
      name: 'model',
      heading: t('model'),
      cell: ({ model }) => <span style={{ whiteSpace: 'nowrap' }}>{model}</span>,
    },
  ];
}
