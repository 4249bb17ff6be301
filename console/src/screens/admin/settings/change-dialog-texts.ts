/** Texts of the dialog that shows a change of the configuration before it is made. */
import { defineTexts } from '#i18n/texts.ts';

export const changeTexts = defineTexts('admin-config-change', {
  en: {
    review: 'Review changes',
    changes: 'Changes',
    setting: 'Setting',
    before: 'Before',
    after: 'After',
    none: 'Not set',
    nothing: 'Nothing changes.',
    errors: 'This change cannot be made',
    warnings: 'Warnings',
    restart: 'These settings take effect when the nodes restart: {{names}}.',
    confirm: 'I have read the warnings and confirm this change',
    note: 'Note',
    noteHint: 'The reason for the change, kept in the history.',
    type: 'Type {{phrase}} to confirm',
    save: 'Save changes',
    cancel: 'Cancel',
    saved: 'Saved as revision {{revision}}',
    stale:
      'Meanwhile, somebody else ({{by}}) saved revision {{revision}}. The page now shows that revision, and your edits are kept. Check them, and save again.',
    staleOwn:
      'You saved revision {{revision}} yourself: in another window, or here without receiving the answer. The page now shows that revision. Check whether anything is left to save.',
    more: 'and {{count}} more',
  },
  zh: {
    review: '确认更改',
    changes: '更改',
    setting: '设置',
    before: '更改前',
    after: '更改后',
    none: '未设置',
    nothing: '没有任何变化。',
    errors: '无法进行此更改',
    warnings: '警告',
    restart: '以下设置在节点重启后生效：{{names}}。',
    confirm: '我已阅读以上警告，确认进行此更改',
    note: '备注',
    noteHint: '更改原因，保存在历史中。',
    type: '输入 {{phrase}} 以确认',
    save: '保存更改',
    cancel: '取消',
    saved: '已保存为版本 {{revision}}',
    stale:
      '在此期间其他人（{{by}}）保存了版本 {{revision}}。页面已显示该版本，您的编辑仍保留。请检查后再次保存。',
    staleOwn:
      '版本 {{revision}} 是您自己保存的：在另一个窗口中，或在此处保存但未收到结果。页面已显示该版本，请检查是否还有内容需要保存。',
    more: '另有 {{count}} 项',
  },
});
