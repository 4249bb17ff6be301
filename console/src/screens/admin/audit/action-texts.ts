/** The names of audit actions. */
import type { components } from '#api/schema.gen.ts';
import { defineTexts, hasText, keysOf, type Texts, useTexts } from '#i18n/texts.ts';

type AuditAction = components['schemas']['AuditAction'];

/**
 * An action without a name does not compile, and neither does a name without an action.
 */
export const actionTexts: Texts<AuditAction> = defineTexts('audit-actions', {
  en: {
    'account.alert': 'Alert thresholds changed',
    'account.create': 'Account created',
    'account.limit': 'Account limits changed',
    'account.restore': 'Account restored',
    'account.suspend': 'Account suspended',
    'account.update': 'Account updated',
    'backup.create': 'Backup created',
    'card.publish': 'Price card published',
    'invitation.create': 'Invitation created',
    'invitation.take_back': 'Invitation revoked',
    'key.create': 'API key created',
    'key.disable': 'API key disabled',
    'key.enable': 'API key enabled',
    'key.limit': 'API key limits changed',
    'key.revoke': 'API key revoked',
    'key.rotate': 'API key rotated',
    'key.update': 'API key updated',
    'person.change': 'Role or account changed',
    'ledger.reset_windows': 'Spending windows reset',
    'person.join': 'Invitation accepted',
    'person.password': 'Password changed',
    'person.recovery_codes': 'Recovery codes replaced',
    'person.remove': 'Person removed',
    'person.reset_link': 'Reset link created',
    'person.reset_password': 'Password reset',
    'person.setup': 'Administrator created',
    'person.sign_up': 'Signed up',
    'person.totp_clear': 'Two-factor reset',
    'person.totp_off': 'Two-factor turned off',
    'person.totp_on': 'Two-factor turned on',
    'rate.publish': 'Exchange rate published',
    'redeem_batch.cancel': 'Unused codes voided',
    'redeem_batch.create': 'Redeem codes created',
    'setup_link.create': 'Setup link created',
    'sign_in.pause': 'Sign-in paused',
    'wallet.adjust': 'Balance adjusted',
    'wallet.credit': 'Credit added',
    'wallet.credit_limit': 'Credit limit changed',
    'wallet.exchange': 'Currency exchanged',
    'wallet.refund': 'Request refunded',
  },
  zh: {
    'account.alert': '更改提醒阈值',
    'account.create': '创建账户',
    'account.limit': '更改账户限额',
    'account.restore': '恢复账户',
    'account.suspend': '停用账户',
    'account.update': '更新账户',
    'backup.create': '创建备份',
    'card.publish': '发布价格版本',
    'invitation.create': '创建邀请',
    'invitation.take_back': '撤销邀请',
    'key.create': '创建 API 密钥',
    'key.disable': '停用 API 密钥',
    'key.enable': '启用 API 密钥',
    'key.limit': '更改 API 密钥限额',
    'key.revoke': '吊销 API 密钥',
    'key.rotate': '轮换 API 密钥',
    'key.update': '更新 API 密钥',
    'person.change': '更改角色或账户',
    'ledger.reset_windows': '重置消费周期',
    'person.join': '接受邀请',
    'person.password': '修改密码',
    'person.recovery_codes': '更换恢复码',
    'person.remove': '移除登录账号',
    'person.reset_link': '生成密码重置链接',
    'person.reset_password': '重置密码',
    'person.setup': '创建管理员',
    'person.sign_up': '注册',
    'person.totp_clear': '重置两步验证',
    'person.totp_off': '停用两步验证',
    'person.totp_on': '启用两步验证',
    'rate.publish': '发布汇率',
    'redeem_batch.cancel': '作废未使用的兑换码',
    'redeem_batch.create': '创建兑换码',
    'setup_link.create': '生成设置链接',
    'sign_in.pause': '暂停登录',
    'wallet.adjust': '调整余额',
    'wallet.credit': '充值',
    'wallet.credit_limit': '更改信用额度',
    'wallet.exchange': '换汇',
    'wallet.refund': '退款',
  },
});

/** All actions, for the suggestions of the filter. */
export const auditActions = (): readonly AuditAction[] => keysOf(actionTexts);

/** Returns a function that names an action; an unknown action is shown as its code. */
export function useActionName(): (action: string) => string {
  const t = useTexts(actionTexts);
  return (action) => (hasText(actionTexts, action) ? t(action) : action);
}
