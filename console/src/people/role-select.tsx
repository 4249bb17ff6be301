/**
 * A field that selects a role and describes each role. Nobody can assign a role above their own.
 */
import { Select, Stack, Text } from '@mantine/core';
import { mayAs, ROLES, type Role, useSignedIn } from '#api/session.ts';
import { useRoleName, useRoleRights } from '#i18n/role-names.ts';
import { defineTexts, useTexts } from '#i18n/texts.ts';

const texts = defineTexts('role-select', {
  en: { label: 'Role' },
  zh: { label: '角色' },
});

export type RoleSelectProps = {
  readonly value: Role;
  readonly onChange: (role: Role) => void;
  readonly error?: string | null;
};

export function RoleSelect({ value, onChange, error = null }: RoleSelectProps) {
  const t = useTexts(texts);
  const roleName = useRoleName();
  const roleRights = useRoleRights();
  const { role: own } = useSignedIn();
  const roles = ROLES.filter((role) => mayAs(own, role));
  return (
    <Select
      data-autofocus
      label={t('label')}
      description={roleRights(value)}
      data={roles.map((role) => ({ value: role, label: roleName(role) }))}
      value={value}
      onChange={(chosen) => {
        const role = roles.find((each) => each === chosen);
        if (role !== undefined) onChange(role);
      }}
      allowDeselect={false}
      error={error}
      renderOption={({ option }) => {
        const role = roles.find((each) => each === option.value);
        return (
          <Stack gap={0}>
            <Text size="sm">{option.label}</Text>
            <Text variant="caption">{role === undefined ? '' : roleRights(role)}</Text>
          </Stack>
        );
      }}
    />
  );
}
