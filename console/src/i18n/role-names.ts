/** What people of an account may be, and what they may do with it. */
import type { Role } from '../api/session.ts';
import { defineTexts, useTexts } from './texts.ts';

const texts = defineTexts('roles', {
  en: {
    read_only: 'Reader',
    member: 'Member',
    owner: 'Owner',
    administrator: 'Administrator',
    read_only_rights: 'Sees usage, requests and balances; changes nothing.',
    member_rights: 'Makes and changes API keys, and uses the playground.',
    owner_rights: 'Besides tops up, sets alerts, and invites and removes people.',
    administrator_rights: 'Besides sees and changes every account, price and route of the gateway.',
  },
  zh: {
    read_only: '只读成员',
    member: '成员',
    owner: '所有者',
    administrator: '管理员',
    read_only_rights: '可查看用量、请求与余额，不能做任何更改。',
    member_rights: '可创建和修改 API 密钥，并使用演练场。',
    owner_rights: '此外还可以充值、设置提醒，以及邀请和移除成员。',
    administrator_rights: '此外还可以查看和更改网关的所有账户、价格与路由。',
  },
});

export function useRoleName(): (role: Role) => string {
  return useTexts(texts);
}

/** @returns what somebody with the role may do, in a sentence. */
export function useRoleRights(): (role: Role) => string {
  const t = useTexts(texts);
  return (role) => t(`${role}_rights`);
}
