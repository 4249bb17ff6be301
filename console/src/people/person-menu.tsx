/** The menu of actions on a person, for owners and administrators. */
import { ActionIcon, Menu } from '@mantine/core';
import { IconDots, IconLink, IconShieldOff, IconUserCog, IconUserMinus } from '@tabler/icons-react';
import { useState } from 'react';
import { mayAs, useSignedIn } from '#api/session.ts';
import { useTexts } from '#i18n/texts.ts';
import { type Person, usePeopleApi } from './people-api.ts';
import { peopleTexts } from './people-texts.ts';
import {
  ChangePersonDialog,
  PersonResetLinkDialog,
  RemovePersonDialog,
  RemoveTotpDialog,
} from './person-dialogs.tsx';

const DIALOGS = {
  changeRole: ChangePersonDialog,
  resetLink: PersonResetLinkDialog,
  removeTotp: RemoveTotpDialog,
  remove: RemovePersonDialog,
} as const;
type DialogName = keyof typeof DIALOGS;
const ICON_PX = 16;

export function PersonMenu({ person }: { readonly person: Person }) {
  const t = useTexts(peopleTexts);
  const own = useSignedIn();
  // The dialog's name is kept after closing, so that the dialog can animate out.
  const [dialog, setDialog] = useState<DialogName | null>(null);
  const [isOpen, setOpen] = useState(false);
  const { everywhere } = usePeopleApi();
  // There is no menu for oneself, since the profile page is for that, nor for people with a higher
  // role.
  if (person.id === own.id || !mayAs(own.role, person.role)) return null;
  const show = (name: DialogName): void => {
    setDialog(name);
    setOpen(true);
  };
  const Dialog = dialog === null ? null : DIALOGS[dialog];
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            aria-label={t('actionsOf', { name: person.name })}
          >
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<IconUserCog size={ICON_PX} />}
            onClick={() => show('changeRole')}
          >
            {t(everywhere === null ? 'changeRole' : 'changeRoleOrAccount')}
          </Menu.Item>
          <Menu.Item leftSection={<IconLink size={ICON_PX} />} onClick={() => show('resetLink')}>
            {t('resetLink')}
          </Menu.Item>
          {everywhere !== null && person.totp_enabled ? (
            <Menu.Item
              leftSection={<IconShieldOff size={ICON_PX} />}
              onClick={() => show('removeTotp')}
            >
              {t('removeTotp')}
            </Menu.Item>
          ) : null}
          <Menu.Divider />
          <Menu.Item
            color="red"
            c="var(--mantine-color-red-light-color)"
            leftSection={<IconUserMinus size={ICON_PX} />}
            onClick={() => show('remove')}
          >
            {t('remove')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {Dialog === null ? null : (
        <Dialog person={person} opened={isOpen} onClose={() => setOpen(false)} />
      )}
    </>
  );
}
