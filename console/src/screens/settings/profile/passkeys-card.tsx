/** The card with the person's passkeys: adds, renames and removes them. */
import { Button, Group, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf, api } from '#api/client.ts';
import { addPasskey, arePasskeysUsable, type Passkey, passkeysQuery } from '#api/passkeys.ts';
import { sessionQuery } from '#api/session.ts';
import { Dialog } from '#components/dialog.tsx';
import { useApiForm } from '#components/forms/api-form.ts';
import { FormBody } from '#components/forms/form-footer.tsx';
import { Ago, ShortTime } from '#components/moment.tsx';
import { SectionCard } from '#components/section-card.tsx';
import { PasswordProof } from '#components/sign-in/password-proof.tsx';
import { RowAction } from '#components/tables/columns.tsx';
import { type Column, DataTable } from '#components/tables/data-table.tsx';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { browserName } from './browser-name.ts';

const texts = defineTexts('passkeys-card', {
  en: {
    title: 'Passkeys',
    lead: 'Sign in with a fingerprint, your face, a PIN or a security key. A passkey replaces the password and the two-factor code.',
    off: 'Passkeys are turned off on this gateway.',
    unusable:
      'Passkeys cannot be added here. Use an up-to-date browser, and open the console at {{address}}. That address must use HTTPS and a host name, not an IP address.',
    add: 'Add passkey',
    addLead: 'Your browser asks where to save the passkey.',
    name: 'Name',
    created: 'Added',
    used: 'Last used',
    never: 'Never',
    action: 'Action',
    missing: 'Enter a name.',
    rename: 'Rename',
    renameTitle: 'Rename passkey',
    remove: 'Remove',
    removeTitle: 'Remove passkey',
    removeLead:
      'You can no longer sign in with {{name}}. Delete it on your device or in your password manager too.',
  },
  zh: {
    title: '通行密钥',
    lead: '使用指纹、面容、PIN 或安全密钥登录，无需密码和验证码。',
    off: '本网关已停用通行密钥。',
    unusable:
      '无法在此添加通行密钥。请使用新版浏览器，并通过 {{address}} 打开控制台；该地址须使用 HTTPS 和主机名，不能是 IP 地址。',
    add: '添加通行密钥',
    addLead: '浏览器将询问通行密钥的保存位置。',
    name: '名称',
    created: '添加时间',
    used: '最近使用',
    never: '从未使用',
    action: '操作',
    missing: '请填写名称。',
    rename: '重命名',
    renameTitle: '重命名通行密钥',
    remove: '移除',
    removeTitle: '移除通行密钥',
    removeLead: '移除后将无法再用 {{name}} 登录。请同时在您的设备或密码管理器中删除它。',
  },
});
const MIN_WIDTH_PX = 520;
const MAX_NAME_CHARS = 100;

export function PasskeysCard() {
  const t = useTexts(texts);
  const { passkeys: areOn = false, public_url: address = '' } = useQuery(sessionQuery).data ?? {};
  const query = useQuery(passkeysQuery);
  const [isAdding, adding] = useDisclosure();
  // The chosen passkey stays set while its dialog closes, so that the dialog keeps its content.
  const [chosen, choose] = useState<Passkey | null>(null);
  const [isRenaming, renaming] = useDisclosure();
  const [isRemoving, removing] = useDisclosure();
  const columns = useColumns((action, passkey) => {
    choose(passkey);
    (action === 'rename' ? renaming : removing).open();
  });
  const rows = query.data?.data;
  // If passkeys are turned off, the card is shown only while there are passkeys to remove.
  if (!areOn && rows?.length === 0) return null;
  return (
    <SectionCard title={t('title')} lead={t('lead')} query={query}>
      {rows?.length === 0 ? null : (
        <DataTable
          label={t('title')}
          columns={columns}
          rows={rows}
          keyOf={({ id }) => id}
          minWidth={MIN_WIDTH_PX}
          expected={1}
        />
      )}
      {areOn && arePasskeysUsable(address) ? (
        <Group>
          <Button variant="default" onClick={adding.open}>
            {t('add')}
          </Button>
        </Group>
      ) : (
        <Text variant="note">{areOn ? t('unusable', { address }) : t('off')}</Text>
      )}
      <Dialog opened={isAdding} onClose={adding.close} title={t('add')}>
        <Adding onDone={adding.close} />
      </Dialog>
      <Dialog opened={isRemoving} onClose={removing.close} title={t('removeTitle')}>
        {chosen === null ? null : <Removing passkey={chosen} onDone={removing.close} />}
      </Dialog>
      <Dialog opened={isRenaming} onClose={renaming.close} title={t('renameTitle')}>
        {chosen === null ? null : <Renaming passkey={chosen} onDone={renaming.close} />}
      </Dialog>
    </SectionCard>
  );
}

type Act = (action: 'rename' | 'remove', passkey: Passkey) => void;

function useColumns(act: Act): readonly Column<Passkey>[] {
  const t = useTexts(texts);
  return [
    { name: 'name', heading: t('name'), cell: ({ name }) => name },
    { name: 'created', heading: t('created'), cell: ({ created_at: at }) => <ShortTime at={at} /> },
    {
      name: 'used',
      heading: t('used'),
      cell: ({ last_used_at: at }) => (at === null ? t('never') : <Ago at={at} />),
    },
    {
      name: 'action',
      heading: t('action'),
      end: true,
      cell: (passkey) => (
        <Group gap={4} justify="flex-end" wrap="nowrap">
          {(['rename', 'remove'] as const).map((action) => (
            <RowAction
              key={action}
              label={t(action)}
              of={passkey.name}
              onClick={() => act(action, passkey)}
            />
          ))}
        </Group>
      ),
    },
  ];
}

type DoneProps = { readonly onDone: () => void };

/**
 * Returns a function that calls `onDone`, which closes the dialog, and then refreshes the list of
 * passkeys.
 */
function useDone(onDone: () => void): () => Promise<void> {
  const queryClient = useQueryClient();
  return async () => {
    onDone();
    await queryClient.invalidateQueries(passkeysQuery);
  };
}

function Adding({ onDone }: DoneProps) {
  const t = useTexts(texts);
  const done = useDone(onDone);
  const suggested = browserName(navigator.userAgent) ?? t('title');
  const [name, setName] = useState(suggested);
  return (
    <PasswordProof
      lead={t('addLead')}
      submit={t('add')}
      send={(proof) => addPasskey(name.trim() === '' ? suggested : name.trim(), proof)}
      onSent={done}
    >
      <TextInput
        label={t('name')}
        maxLength={MAX_NAME_CHARS}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
    </PasswordProof>
  );
}

function Renaming({ passkey: { id, name }, onDone }: DoneProps & { readonly passkey: Passkey }) {
  const t = useTexts(texts);
  const done = useDone(onDone);
  const { form, ...sending } = useApiForm({
    initialValues: { name },
    validate: (values) => ({ name: values.name.trim() === '' ? t('missing') : null }),
    send: (body) =>
      answerOf(api.PATCH('/console/api/profile/passkeys/{id}', { params: { path: { id } }, body })),
    onSent: done,
  });
  return (
    <FormBody of={sending} submit={t('rename')} onCancel={onDone}>
      <TextInput
        maxLength={MAX_NAME_CHARS}
        label={t('name')}
        data-autofocus
        {...form.getInputProps('name')}
      />
    </FormBody>
  );
}

function Removing({ passkey: { id, name }, onDone }: DoneProps & { readonly passkey: Passkey }) {
  const t = useTexts(texts);
  const done = useDone(onDone);
  return (
    <PasswordProof
      lead={t('removeLead', { name })}
      submit={t('remove')}
      isGrave
      send={(body) =>
        answerOf(
          api.DELETE('/console/api/profile/passkeys/{id}', { params: { path: { id } }, body }),
        )
      }
      onSent={done}
    />
  );
}
