/** Compares up to four models. The best value of each property is marked. */
import {
  ActionIcon,
  Card,
  Group,
  MultiSelect,
  Skeleton,
  Stack,
  Switch,
  Tooltip,
} from '@mantine/core';
import { IconScale, IconX } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { type CSSProperties, useState } from 'react';
import type { Model } from '#catalogue/models.ts';
import { Empty } from '#components/empty.tsx';
import { Page } from '#components/page.tsx';
import { Status } from '#components/status.tsx';
import { ROLES } from '#components/tables/table-parts.tsx';
import { useScrolls } from '#components/tables/use-scrolls.ts';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { CatalogGate } from './models/catalogue-gate.tsx';
import { bestOf, differs, isKnown, type Property, useProperties } from './models/comparison.tsx';
import { ModelLink } from './models/model-card.tsx';
import { ModelFace } from './models/model-face.tsx';
import { comparedIds, MAX_COMPARED } from './models/model-search.ts';
import classes from './models/models.module.css';

const texts = defineTexts('compare-screen', {
  en: {
    title: 'Compare models',
    models: 'Models to compare',
    choose: 'Select up to {{max}}',
    none: 'No models selected',
    noneHint: 'Select two or more models above.',
    property: 'Property',
    remove: 'Remove {{name}}',
    differences: 'Only differences',
    best: 'Best value of the compared models',
  },
  zh: {
    title: '模型对比',
    models: '要对比的模型',
    choose: '最多选择 {{max}} 个',
    none: '还没有选择模型',
    noneHint: '请在上方选择两个或更多模型。',
    property: '属性',
    remove: '移除 {{name}}',
    differences: '仅显示差异',
    best: '所选模型中的最优值',
  },
});

const ROW_HEAD = { role: 'rowheader' } as const;
const route = getRouteApi('/open/models/compare');

export function CompareScreen() {
  const t = useTexts(texts);
  return (
    <Page title={t('title')}>
      <CatalogGate placeholder={<Skeleton height={420} />}>
        {(models) => <Comparison models={models} />}
      </CatalogGate>
    </Page>
  );
}

function Comparison({ models }: { readonly models: readonly Model[] }) {
  const t = useTexts(texts);
  const navigate = route.useNavigate();
  const [hasAll, setHasAll] = useState(true);
  const ids = comparedIds(route.useSearch().ids);
  const chosen = ids.flatMap((id) => models.find((model) => model.id === id) ?? []);
  const choose = (next: readonly string[]): void =>
    void navigate({ search: { ids: next.join(',') }, replace: true, resetScroll: false });
  return (
    <Stack gap="md">
      <Group align="flex-end">
        <MultiSelect
          flex="1 1 280px"
          label={t('models')}
          placeholder={chosen.length === 0 ? t('choose', { max: MAX_COMPARED }) : ''}
          data={models.map(({ id, name }) => ({ value: id, label: name }))}
          value={chosen.map(({ id }) => id)}
          maxValues={MAX_COMPARED}
          searchable
          hidePickedOptions
          onChange={choose}
        />
        <Switch
          pb={8}
          label={t('differences')}
          checked={!hasAll}
          onChange={({ currentTarget: { checked } }) => setHasAll(!checked)}
        />
      </Group>
      {chosen.length === 0 ? (
        <Empty icon={IconScale} title={t('none')}>
          {t('noneHint')}
        </Empty>
      ) : (
        <Card padding={0} style={{ overflow: 'visible' }}>
          <ComparisonTable
            models={chosen}
            hasAll={hasAll}
            onRemove={(id) => choose(ids.filter((each) => each !== id))}
          />
        </Card>
      )}
    </Stack>
  );
}

type ComparisonTableProps = {
  readonly models: readonly Model[];
  /** Whether properties with the same value for all models are shown too. */
  readonly hasAll: boolean;
  readonly onRemove: (id: string) => void;
};

/**
 * Shows the comparison as a table with explicit ARIA roles, because the layout for phones removes
 * the implicit roles of a table.
 */
function ComparisonTable({ models, hasAll, onRemove }: ComparisonTableProps) {
  const t = useTexts(texts);
  const properties = useProperties(models).filter(
    (each) => isKnown(each, models) && (hasAll || differs(each, models)),
  );
  const columns: CSSProperties & Record<'--models', number> = { '--models': models.length };
  // An area that scrolls sideways, as on a phone, needs a tab stop for the keyboard.
  const { ref, scrolls } = useScrolls();
  const scrolling = scrolls ? { tabIndex: 0, role: 'group', 'aria-label': t('title') } : {};
  return (
    <div ref={ref} className={classes['scroller']} {...scrolling}>
      <table
        className={classes['comparison']}
        style={columns}
        {...ROLES.table}
        aria-label={t('title')}
      >
        <thead {...ROLES.part}>
          <tr {...ROLES.row}>
            <th scope="col" {...ROLES.head} className={classes['corner']}>
              {t('property')}
            </th>
            {models.map((model) => (
              <th key={model.id} scope="col" {...ROLES.head}>
                <Group gap="xs" wrap="nowrap">
                  <ModelFace model={model} />
                  <ModelLink model={model} />
                  <Remove name={model.name} onClick={() => onRemove(model.id)} />
                </Group>
              </th>
            ))}
          </tr>
        </thead>
        <tbody {...ROLES.part}>
          {properties.map((property) => (
            <PropertyRow key={property.name} property={property} models={models} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

type PropertyRowProps = { readonly property: Property; readonly models: readonly Model[] };

function PropertyRow({ property, models }: PropertyRowProps) {
  const t = useTexts(texts);
  const best = bestOf(property, models);
  return (
    <tr {...ROLES.row}>
      <th scope="row" {...ROW_HEAD}>
        {property.heading}
      </th>
      {models.map((model) => (
        <td key={model.id} {...ROLES.cell}>
          {best.includes(model.id) ? (
            <Status tone="good" title={t('best')}>
              {property.cell(model)}
            </Status>
          ) : (
            property.cell(model)
          )}
        </td>
      ))}
    </tr>
  );
}

function Remove({ name, onClick }: { readonly name: string; readonly onClick: () => void }) {
  const t = useTexts(texts);
  return (
    <Tooltip label={t('remove', { name })}>
      <ActionIcon
        variant="subtle"
        color="gray"
        ml="auto"
        aria-label={t('remove', { name })}
        onClick={onClick}
      >
        <IconX size={16} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
