/** The menu of a list's saved views: opens a view, saves the present filters, deletes a view. */
import { Menu, Stack, TextInput } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconBookmark, IconCheck, IconPlus, IconTrash } from '@tabler/icons-react';
import { useRouter, useRouterState } from '@tanstack/react-router';
import { type FormEvent, useRef, useState } from 'react';
import { Dialog } from '#components/dialog.tsx';
import { FormFooter } from '#components/forms/form-footer.tsx';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import {
  filtersOf,
  MAX_NAME_CHARS,
  MAX_VIEWS,
  type View,
  viewsOf,
  withView,
} from './saved-views.ts';
import { ToolButton } from './tool-button.tsx';

const texts = defineTexts('saved-views', {
  en: {
    views: 'Views',
    standard: 'Default view',
    save: 'Save this view',
    full: 'At most {{count}} views. Delete one first.',
    remove: 'Delete {{name}}',
    title: 'Save view',
    name: 'Name',
    hint: 'The view is saved in this browser. To share it, copy the URL of this page.',
  },
  zh: {
    views: '视图',
    standard: '默认视图',
    save: '保存当前视图',
    full: '最多保存 {{count}} 个视图，请先删除一个',
    remove: '删除“{{name}}”',
    title: '保存视图',
    name: '名称',
    hint: '视图保存在此浏览器中。复制本页地址即可分享此视图。',
  },
});

export function ViewsMenu({ list }: { readonly list: string }) {
  const t = useTexts(texts);
  const [views, setViews] = useLocalStorage<readonly View[]>({
    key: `modelgate.views.${list}`,
    defaultValue: [],
    getInitialValueInEffect: false,
    deserialize: viewsOf,
  });
  const [isNaming, setNaming] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const { history } = useRouter();
  const { pathname, searchStr } = useRouterState({ select: ({ location }) => location });
  const query = filtersOf(searchStr);
  const current = views.find((view) => view.query === query);
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ToolButton ref={opener} icon={IconBookmark} label={current?.name ?? t('views')} />
        </Menu.Target>
        <Menu.Dropdown>
          {[{ name: t('standard'), query: '' }, ...views].map(({ name, query: wanted }) => (
            <Menu.Item
              key={wanted}
              rightSection={wanted === query ? <IconCheck size={14} aria-hidden /> : null}
              onClick={() => history.push(wanted === '' ? pathname : `${pathname}?${wanted}`)}
            >
              {name}
            </Menu.Item>
          ))}
          <Menu.Divider />
          {current === undefined ? (
            <Menu.Item
              leftSection={<IconPlus size={14} aria-hidden />}
              disabled={query === '' || views.length >= MAX_VIEWS}
              onClick={() => {
                // The dialog returns the focus to the element that had it. The item disappears.
                opener.current?.focus();
                setNaming(true);
              }}
            >
              {views.length >= MAX_VIEWS ? t('full', { count: MAX_VIEWS }) : t('save')}
            </Menu.Item>
          ) : (
            <Menu.Item
              leftSection={<IconTrash size={14} aria-hidden />}
              onClick={() => setViews(views.filter((view) => view !== current))}
            >
              {t('remove', { name: current.name })}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <Dialog opened={isNaming} onClose={() => setNaming(false)} title={t('title')} size="sm">
        <NameForm
          onClose={() => setNaming(false)}
          onNamed={(name) => setViews(withView(views, { name, query }))}
        />
      </Dialog>
    </>
  );
}

type NameFormProps = {
  readonly onClose: () => void;
  readonly onNamed: (name: string) => void;
};

function NameForm({ onClose, onNamed }: NameFormProps) {
  const t = useTexts(texts);
  const [name, setName] = useState('');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (name.trim() === '') return;
    onNamed(name.trim());
    onClose();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label={t('name')}
          description={t('hint')}
          maxLength={MAX_NAME_CHARS}
          value={name}
          data-autofocus
          onChange={({ currentTarget: { value } }) => setName(value)}
        />
        <FormFooter
          submit={t('title')}
          isRunning={false}
          problem={null}
          isDisabled={name.trim() === ''}
          onCancel={onClose}
        />
      </Stack>
    </form>
  );
}
