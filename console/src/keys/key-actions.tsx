/**
 * The actions on a key: a menu in the list, and buttons on the key's page that open the same
 * dialogs.
 */
import { ActionIcon, Button, Menu, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import {
  IconDots,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconRefresh,
  IconTrash,
} from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { TypeToConfirm } from '#components/forms/type-to-confirm.tsx';
import { useProblemText } from '#components/problem-texts.ts';
import { useFormats } from '#i18n/formats.ts';
import { useTexts } from '#i18n/texts.ts';
import { keyActionsTexts } from './key-actions-texts.ts';
import { useKeyApi } from './key-api.ts';
import { EditKeyDialog } from './key-dialogs.tsx';
import type { ApiKey } from './key-form.ts';
import { type CreatedKey, useKeysChanged } from './key-queries.ts';
import { secretEnds } from './key-state.ts';
import { keyTexts } from './key-texts.ts';
import { RotateKeyDialog } from './rotate-key.tsx';
import { SecretDialog } from './secret-dialog.tsx';

type OpenDialog = 'none' | 'edit' | 'rotate' | 'revoke';

type KeyActionsProps = { readonly apiKey: ApiKey };

/**
 * The menu of a key in a list, shown only to people who may change keys. A revoked key has no
 * actions.
 */
export function KeyActions({ apiKey }: KeyActionsProps) {
  const t = useTexts(keyActionsTexts);
  const labels = useTexts(keyTexts);
  const { open, dialogs } = useKeyDialogs(apiKey);
  const toggle = useToggle();
  if (apiKey.status === 'revoked') return null;
  const { icon: ToggleIcon, to } = toggleOf(apiKey);
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="md"
            loading={toggle.isPending}
            aria-label={labels('actionsOf', { name: apiKey.name })}
          >
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => open('edit')}>
            {t('edit')}
          </Menu.Item>
          <Menu.Item leftSection={<IconRefresh size={16} />} onClick={() => open('rotate')}>
            {t('rotate')}
          </Menu.Item>
          <Menu.Item
            leftSection={<ToggleIcon size={16} />}
            onClick={() => toggle.mutate({ apiKey, to })}
          >
            {t(to === 'disabled' ? 'disable' : 'enable')}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item
            color="red"
            c="var(--mantine-color-red-light-color)"
            leftSection={<IconTrash size={16} />}
            onClick={() => open('revoke')}
          >
            {t('revoke')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {dialogs}
    </>
  );
}

/** The buttons on the key's page, with the same actions as the menu. */
export function KeyButtons({ apiKey }: KeyActionsProps) {
  const t = useTexts(keyActionsTexts);
  const { open, dialogs } = useKeyDialogs(apiKey);
  const toggle = useToggle();
  if (apiKey.status === 'revoked') return null;
  const { icon: ToggleIcon, to } = toggleOf(apiKey);
  return (
    <>
      <Button leftSection={<IconPencil size={16} />} onClick={() => open('edit')}>
        {t('edit')}
      </Button>
      <Button
        variant="default"
        leftSection={<IconRefresh size={16} />}
        onClick={() => open('rotate')}
      >
        {t('rotate')}
      </Button>
      <Button
        variant="default"
        leftSection={<ToggleIcon size={16} />}
        loading={toggle.isPending}
        onClick={() => toggle.mutate({ apiKey, to })}
      >
        {t(to === 'disabled' ? 'disable' : 'enable')}
      </Button>
      <Button
        variant="default"
        c="var(--mantine-color-red-light-color)"
        leftSection={<IconTrash size={16} />}
        onClick={() => open('revoke')}
      >
        {t('revoke')}
      </Button>
      {dialogs}
    </>
  );
}

const toggleOf = ({ status }: ApiKey) =>
  status === 'disabled'
    ? ({ icon: IconPlayerPlay, to: 'enabled' } as const)
    : ({ icon: IconPlayerPause, to: 'disabled' } as const);

function useKeyDialogs(apiKey: ApiKey) {
  // No dialog is rendered until one opens, so that a long list holds no closed dialogs.
  const [dialog, open] = useState<OpenDialog | null>(null);
  const dialogs =
    dialog === null ? null : (
      <KeyDialogs apiKey={apiKey} dialog={dialog} onClose={() => open('none')} />
    );
  return { open, dialogs };
}

type Toggle = { readonly apiKey: ApiKey; readonly to: 'enabled' | 'disabled' };

/** How long the undo button is shown: long enough to read the message and notice a mistake. */
const UNDO_MS = 10_000;

/** Returns a function that disables or enables a key and then offers to undo the change. */
function useToggle() {
  const t = useTexts(keyActionsTexts);
  const keyApi = useKeyApi();
  const keysChanged = useKeysChanged();
  const problemText = useProblemText();
  const toggle = useMutation({
    mutationFn: ({ apiKey, to }: Toggle) =>
      to === 'disabled' ? keyApi.disable(apiKey.id) : keyApi.enable(apiKey.id),
    onSuccess: async (_, { apiKey, to }) => {
      await keysChanged();
      const id = `key-${apiKey.id}`;
      const undo = (): void => {
        notifications.hide(id);
        toggle.mutate({ apiKey, to: to === 'disabled' ? 'enabled' : 'disabled' });
      };
      notifications.hide(id);
      notifications.show({
        id,
        autoClose: UNDO_MS,
        color: to === 'disabled' ? 'yellow' : 'green',
        message: (
          <>
            <Text size="sm">
              {t(to === 'disabled' ? 'isDisabled' : 'isEnabled', { name: apiKey.name })}
            </Text>
            <Button size="compact-xs" variant="default" mt={6} onClick={undo}>
              {t('undo')}
            </Button>
          </>
        ),
      });
    },
    onError: (error) =>
      notifications.show({ color: 'red', message: problemText(error) ?? error.message }),
  });
  return toggle;
}

type KeyDialogsProps = {
  readonly apiKey: ApiKey;
  readonly dialog: OpenDialog;
  readonly onClose: () => void;
};

function KeyDialogs({ apiKey, dialog, onClose }: KeyDialogsProps) {
  const [rotated, setRotated] = useState<{ readonly key: CreatedKey; readonly old: string } | null>(
    null,
  );
  return (
    <>
      <EditKeyDialog apiKey={apiKey} opened={dialog === 'edit'} onClose={onClose} />
      <RotateKeyDialog
        apiKey={apiKey}
        opened={dialog === 'rotate'}
        onClose={onClose}
        onRotated={(key) => {
          setRotated({ key, old: apiKey.masked });
          onClose();
        }}
      />
      <RevokeKeyDialog apiKey={apiKey} opened={dialog === 'revoke'} onClose={onClose} />
      {rotated === null ? null : (
        <SecretDialog
          secret={rotated.key.secret}
          models={rotated.key.limits.models}
          note={<BothEnds old={rotated.old} apiKey={rotated.key} />}
          onSaved={() => setRotated(null)}
        />
      )}
    </>
  );
}

function BothEnds({ old, apiKey }: { readonly old: string; readonly apiKey: ApiKey }) {
  const t = useTexts(keyActionsTexts);
  const { time } = useFormats();
  const { previous, current } = secretEnds(apiKey, Date.now());
  return (
    <Text size="sm">
      {previous === null ? t('oldEnded', { old }) : t('oldEnds', { old, time: time(previous) })}
      <br />
      {current === null ? t('newNeverEnds') : t('newEnds', { time: time(current) })}
    </Text>
  );
}

function RevokeKeyDialog({
  apiKey,
  opened,
  onClose,
}: Omit<KeyDialogsProps, 'dialog'> & { readonly opened: boolean }) {
  const t = useTexts(keyActionsTexts);
  const keyApi = useKeyApi();
  const keysChanged = useKeysChanged();
  const revoking = useMutation({
    mutationFn: () => keyApi.revoke(apiKey.id),
    onSuccess: async () => {
      onClose();
      notifications.show({ message: t('isRevoked', { name: apiKey.name }) });
      await keysChanged();
    },
  });
  return (
    <TypeToConfirm
      opened={opened}
      onClose={onClose}
      title={t('revokeTitle', { name: apiKey.name })}
      phrase={apiKey.name}
      confirm={t('confirmRevoke')}
      onConfirm={() => revoking.mutate()}
      isRunning={revoking.isPending}
      error={revoking.error}
    >
      {t('revokeText')}
    </TypeToConfirm>
  );
}
