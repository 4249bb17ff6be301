/** Fields of a form that somebody else has also changed; the person chooses a value for each. */
import { Alert, Button, Group, Radio, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import classes from './conflict-panel.module.css';
import { CHOICES, type Conflict } from './shared-form.ts';

const texts = defineTexts('conflict-panel', {
  en: {
    title: 'Somebody else changed the same settings',
    lead: 'The values that the other person entered are already saved. For each setting, choose theirs or yours, then save again.',
    mine: 'Yours',
    theirs: 'Theirs',
    allMine: 'Keep all of mine',
    allTheirs: 'Use all of theirs',
    overwrites_one: 'Saving replaces {{count}} of their values.',
    overwrites_other: 'Saving replaces {{count}} of their values.',
    overwritesNone: 'Saving keeps their values.',
  },
  zh: {
    title: '其他人也修改了这些设置',
    lead: '对方的值已经保存。请为每项设置选择对方的值或您的值，然后再次保存。',
    mine: '我的值',
    theirs: '对方的值',
    allMine: '全部保留我的值',
    allTheirs: '全部采用对方的值',
    overwrites_one: '保存后将替换对方的 {{count}} 项值。',
    overwrites_other: '保存后将替换对方的 {{count}} 项值。',
    overwritesNone: '保存后将保留对方的值。',
  },
});

export function ConflictPanel({ conflict }: { readonly conflict: Conflict }) {
  const t = useTexts(texts);
  const panel = useRef<HTMLDivElement>(null);
  const { fields, choose, etag } = conflict;
  const replaced = fields.filter(({ choice }) => choice === 'mine').length;
  // Focuses the panel, so that a screen reader reads its title and its introduction.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each conflict
  useEffect(() => panel.current?.focus(), [etag]);
  return (
    <Alert
      ref={panel}
      tabIndex={-1}
      role="group"
      title={t('title')}
      color="yellow"
      variant="light"
      icon={<IconAlertTriangle />}
    >
      <Stack gap="sm">
        <Text size="sm">{t('lead')}</Text>
        {fields.map(({ path, label, choice, ...values }) => (
          <Radio.Group
            key={path}
            label={label}
            value={choice}
            onChange={(chosen) => {
              const found = CHOICES.find((each) => each === chosen);
              if (found !== undefined) choose(found, [path]);
            }}
          >
            <div className={classes['choices']}>
              {CHOICES.map((each) => (
                <Radio
                  key={each}
                  value={each}
                  classNames={{ label: classes['choice'] ?? '' }}
                  label={
                    <>
                      <Text span variant="caption">
                        {t(each)}
                      </Text>{' '}
                      <span>{values[each]}</span>
                    </>
                  }
                />
              ))}
            </div>
          </Radio.Group>
        ))}
        <Group justify="space-between" gap="xs">
          <Text variant="note" role="status">
            {replaced === 0 ? t('overwritesNone') : t('overwrites', { count: replaced })}
          </Text>
          {fields.length === 1 ? null : (
            <Group gap="xs">
              {CHOICES.map((each) => (
                <Button
                  key={each}
                  size="xs"
                  variant="default"
                  onClick={() =>
                    choose(
                      each,
                      fields.map(({ path }) => path),
                    )
                  }
                >
                  {t(each === 'mine' ? 'allMine' : 'allTheirs')}
                </Button>
              ))}
            </Group>
          )}
        </Group>
      </Stack>
    </Alert>
  );
}
