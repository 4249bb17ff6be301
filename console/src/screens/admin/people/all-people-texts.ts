import { defineTexts } from '../../../i18n/texts.ts';

export const allPeopleTexts = defineTexts('admin-people', {
  en: {
    lead: 'Everybody who can sign in, of all accounts, and who is invited.',
    people: 'People',
    invitations: 'Invitations',
    invite: 'Invite',
    emailFilter: 'E-mail, whole',
    accountFilter: 'Account id',
    emptyAccount: 'Nobody belongs to this account yet',
    emptyAccountHint: 'Its keys work all the same. Invite somebody to see and manage it.',
    chooseAccount: 'Account',
    chooseHint: 'Type a part of its name',
    noAccountFound: 'No account is called that',
  },
  zh: {
    lead: '所有账户中可以登录的人员，以及已发出的邀请。',
    people: '人员',
    invitations: '邀请',
    invite: '邀请',
    emailFilter: '完整邮箱',
    accountFilter: '账户 ID',
    emptyAccount: '还没有人属于该账户',
    emptyAccountHint: '它的密钥照常工作。邀请他人即可查看和管理该账户。',
    chooseAccount: '账户',
    chooseHint: '输入名称的一部分',
    noAccountFound: '没有这个名称的账户',
  },
});
