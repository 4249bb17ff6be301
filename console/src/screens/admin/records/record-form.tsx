/**
 * A form for the settings of an upstream or model. Rarely used settings appear only if they are set
 * or if the person asks for them.
 */
import { Group, Switch } from '@mantine/core';
import { useState } from 'react';
import { useTexts } from '#i18n/texts.ts';
import type { SettingField } from '#screens/admin/settings/config-queries.ts';
import { keysInRecord } from '#screens/admin/settings/setting-edits.ts';
import { SettingsForm, type SettingsFormProps } from '#screens/admin/settings/settings-form.tsx';
import { recordTexts } from './record-texts.ts';

/**
 * The settings that are rarely set, by the first key of their path within the upstream or model.
 */
const RARE = ['quirks', 'pass', 'reconcile', 'headers', 'bounds', 'timeouts', 'image_tokens'];

const isRare = (field: SettingField): boolean => RARE.includes(keysInRecord(field)[0] ?? '');

export function RecordForm(props: Omit<SettingsFormProps, 'isWanted'>) {
  const t = useTexts(recordTexts);
  const [isAll, setAll] = useState(false);
  return (
    <>
      {props.fields.some(isRare) ? (
        <Group justify="flex-end">
          <Switch
            label={t('all')}
            description={t('allHint')}
            checked={isAll}
            onChange={({ currentTarget: { checked } }) => setAll(checked)}
          />
        </Group>
      ) : null}
      <SettingsForm
        {...props}
        isWanted={(field) => isAll || !isRare(field) || field.value !== null}
      />
    </>
  );
}
