/** The roles of an account and what each may do. */
import type { Role } from '#api/session.ts';
import { defineTexts, useTexts } from './texts.ts';

const texts = defineTexts('roles', {
  en: {
    read_only: 'Reader',
    member: 'Member',
    owner: 'Owner',
    administrator: 'Administrator',
    read_only_rights: 'Readers can view keys, usage, requests and balances.',
    member_rights:
      'Members can view everything in the account, manage their own API keys and use the playground.',
    owner_rights:
      'Owners can do what members can, manage all API keys, top up, set alerts, and invite or remove members.',
    administrator_rights: 'Administrators can manage every account and setting of the gateway.',
  },
  zh: {
    read_only: '只读成员',
    member: '成员',
    owner: '所有者',
    administrator: '管理员',
    read_only_rights: '只读成员可查看密钥、用量、请求与余额。',
    member_rights: '成员可查看账户的全部内容、管理自己的 API 密钥并使用在线体验。',
    owner_rights: '所有者除成员权限外，还可管理所有 API 密钥、充值、设置提醒、邀请和移除成员。',
    administrator_rights: '管理员可管理网关的所有账户与设置。',
  },
});

export function useRoleName(): (role: Role) => string {
  return useTexts(texts);
}

/** Returns a function that describes in one sentence what a role may do. */
export function useRoleRights(): (role: Role) => string {
  const t = useTexts(texts);
  return (role) => t(`${role}_rights`);
}
