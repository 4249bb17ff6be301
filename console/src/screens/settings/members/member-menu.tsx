/** What an owner can do with somebody of the account: another role, a way back in, the way out. */
import { ActionIcon, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconDots, IconLink, IconUserCog, IconUserMinus } from '@tabler/icons-react';
import { useState } from 'react';
import { mayAs, useSignedIn } from '../../../api/session.ts';
import { defineTexts, useTexts } from '../../../i18n/texts.ts';
import { ChangeRoleDialog, MemberResetLinkDialog, RemoveDialog } from './member-dialogs.tsx';
import type { Member } from './member-queries.ts';

const texts = defineTexts('member-menu', {
  en: {
    label: 'What to do with {{name}}',
    role: 'Change the role',
    reset: 'Reset link',
    remove: 'Remove from the account',
  },
  zh: {
    label: '对 {{name}} 的操作',
    role: '更改角色',
    reset: '重置密码链接',
    remove: '移出账户',
  },
});
const ICON_PX = 16;
const DIALOGS = {
  role: ChangeRoleDialog,
  reset: MemberResetLinkDialog,
  remove: RemoveDialog,
} as const;

export function MemberMenu({ member }: { readonly member: Member }) {
  const t = useTexts(texts);
  const own = useSignedIn();
  const [name, setName] = useState<keyof typeof DIALOGS>('role');
  const [isOpen, { open, close }] = useDisclosure();
  const show = (dialog: keyof typeof DIALOGS): void => {
    setName(dialog);
    open();
  };
  // Oneself is changed in the profile; who has more rights is not an owner's to change.
  if (member.id === own.id || !mayAs(own.role, member.role)) return null;
  const Dialog = DIALOGS[name];
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={t('label', { name: member.name })}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconUserCog size={ICON_PX} />} onClick={() => show('role')}>
            {t('role')}
          </Menu.Item>
          <Menu.Item leftSection={<IconLink size={ICON_PX} />} onClick={() => show('reset')}>
            {t('reset')}
          </Menu.Item>
          <Menu.Item
            c="var(--mantine-color-error)"
            leftSection={<IconUserMinus size={ICON_PX} />}
            onClick={() => show('remove')}
          >
            {t('remove')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Dialog member={member} opened={isOpen} onClose={close} />
    </>
  );
}
