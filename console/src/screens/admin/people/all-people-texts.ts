import { defineTexts } from '#i18n/texts.ts';

export const allPeopleTexts = defineTexts('admin-people', {
  en: {
    people: 'People',
    invitations: 'Invitations',
    invite: 'Invite member',
    emailFilter: 'Email contains',
    accountFilter: 'Account',
    emptyAccount: 'No members yet',
    emptyAccountHint:
      'The keys of this account work without members. Invite a person to view and manage the account.',
    chooseAccount: 'Account',
    chooseHint: 'Search by name',
    noAccountFound: 'No results',
  },
  zh: {
    people: '登录账号',
    invitations: '邀请',
    invite: '邀请成员',
    emailFilter: '邮箱包含',
    accountFilter: '账户',
    emptyAccount: '还没有成员',
    emptyAccountHint: '该账户的密钥无需成员即可使用。邀请成员来查看和管理该账户。',
    chooseAccount: '账户',
    chooseHint: '按名称搜索',
    noAccountFound: '无结果',
  },
});
