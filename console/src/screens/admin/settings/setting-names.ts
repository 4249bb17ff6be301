/** The names of settings, by their paths in the configuration file. */
import { defineTexts, hasText, useTexts } from '#i18n/texts.ts';
import type { SettingField } from './config-queries.ts';
import { recordHelp, recordNames } from './record-names.ts';
import { isOfRecord, keysInRecord, pathOf } from './setting-edits.ts';
import { settingHelp } from './setting-help.ts';

export const settingTexts = defineTexts('admin-setting-names', {
  en: {
    admin_token: 'Administrator token',
    'alerts.account_webhooks': 'Account webhooks',
    'alerts.allow_private': 'Allow webhook in private network',
    'alerts.low_balance.CNY': 'Low-balance alert in CNY',
    'alerts.low_balance.USD': 'Low-balance alert in USD',
    'alerts.webhook_secret': 'Webhook secret',
    'alerts.webhook_url': 'Webhook address',
    'catalogue.public': 'Public model catalog',
    'chat.stream_default': 'Streaming by default',
    config: 'Configuration kept in',
    'console.indexable': 'Indexable by search engines',
    'console.oidc.account_id': 'Account for new people',
    'console.oidc.allow_private': 'Allow identity provider in private network',
    'console.oidc.client_id': 'Client ID',
    'console.oidc.client_secret': 'Client secret',
    'console.oidc.default_role': 'Default role',
    'console.oidc.email_domains': 'Email domains',
    'console.oidc.issuer': 'Identity provider',
    'console.oidc.name': 'Name of the identity provider',
    'console.oidc.new_people': 'New people',
    'console.oidc.role_claim': 'Role claim',
    'console.oidc.roles.administrator': 'Claim values for administrators',
    'console.oidc.roles.member': 'Claim values for members',
    'console.oidc.roles.owner': 'Claim values for owners',
    'console.oidc.roles.read_only': 'Claim values for the read-only role',
    'console.oidc.scopes': 'Scopes',
    'console.passkeys': 'Allow passkeys',
    'console.password_sign_in': 'Allow passwords',
    'console.require_totp': 'Require two-factor for administrators',
    'console.secret': 'Session secret',
    'console.session_idle': 'Session idle timeout',
    'console.session_max': 'Maximum session length',
    'console.sign_up': 'Sign-up',
    data_dir: 'Data folder',
    database: 'Database',
    database_direct: 'Direct database address',
    database_replica: 'Replica for reports',
    file: 'Configuration file',
    'fx.USD/CNY': 'Exchange rate USD to CNY',
    'health.probe': 'Probe failed routes',
    'health.probe_after': 'Probe after an outage of',
    'images.access_key_id': 'Access key ID',
    'images.bucket': 'Bucket',
    'images.endpoint': 'Image store address',
    'images.prefix': 'Prefix in the bucket',
    'images.region': 'Region',
    'images.secret_access_key': 'Secret access key',
    'images.store': 'Image store',
    'images.url_ttl': 'Image links expire after',
    'init.credit': 'Initial credit',
    'init.key': 'Initial API key',
    'limits.answer_size': 'Maximum answer size',
    'limits.careful_answers': 'Serial requests after a hold overrun',
    'limits.connect_timeout': 'Connect timeout',
    'limits.count_tokens_per_minute': 'Token-counting requests per minute',
    'limits.drain': 'Time to finish requests on shutdown',
    'limits.drain_notice': 'Notice period before shutdown',
    'limits.event_size': 'Maximum stream event size',
    'limits.first_byte_timeout': 'First byte timeout',
    'limits.first_event_hold': 'Wait for first event before status 200',
    'limits.idle_timeout': 'Stream idle timeout',
    'limits.image_status_hold': 'Wait for image before status 200',
    'limits.keep_alive': 'Keep-alive interval',
    'limits.read_on': 'Keep reading after caller disconnects for',
    'limits.request_bytes': 'Memory for request bodies',
    'limits.requests_per_address': 'Concurrent requests per client address',
    'limits.stall_timeout': 'Stalled stream timeout',
    'limits.total_timeout': 'Total request timeout',
    listen: 'Listen address',
    'log.level': 'Log level',
    'log.requests': 'Log requests',
    'mail.from': 'Sender address',
    'mail.host': 'Mail server',
    'mail.password': 'Mail password',
    'mail.port': 'Mail server port',
    'mail.reply_to': 'Reply address',
    'mail.tls': 'Mail encryption',
    'mail.user': 'Mail user',
    'metrics.listen': 'Metrics listen address',
    models: 'Models',
    node_name: 'Node name',
    'payments.stripe.api_base': 'Stripe API address',
    'payments.stripe.max.CNY': 'Maximum card payment in CNY',
    'payments.stripe.max.USD': 'Maximum card payment in USD',
    'payments.stripe.min.CNY': 'Minimum card payment in CNY',
    'payments.stripe.min.USD': 'Minimum card payment in USD',
    'payments.stripe.secret_key': 'Stripe secret key',
    'payments.stripe.webhook_secret': 'Stripe webhook secret',
    public_url: 'Public address',
    'retention.alerts': 'Alerts kept for',
    'retention.holds': 'Finished holds kept for',
    'retention.mail': 'Email delivery log kept for',
    'retention.prompts': 'Logged prompts kept for',
    'retention.reconciliations': 'Bill comparisons kept for',
    'retention.refusals': 'Refused requests kept for',
    share_port: 'Share the port between processes',
    'status.public': 'Public status page',
    'top_ups.bonuses.CNY': 'Bonuses on card payments in CNY',
    'top_ups.bonuses.USD': 'Bonuses on card payments in USD',
    'tracing.endpoint': 'Tracing endpoint',
    'tracing.sample': 'Share of traced requests',
    'tracing.service_name': 'Service name in traces',
    trusted_proxies: 'Number of trusted proxies',
  },
  zh: {
    admin_token: '管理员令牌',
    'alerts.account_webhooks': '账户 Webhook',
    'alerts.allow_private': '允许 Webhook 指向内网地址',
    'alerts.low_balance.CNY': 'CNY 低余额提醒',
    'alerts.low_balance.USD': 'USD 低余额提醒',
    'alerts.webhook_secret': 'Webhook 密钥',
    'alerts.webhook_url': 'Webhook 地址',
    'catalogue.public': '公开模型目录',
    'chat.stream_default': '默认是否流式',
    config: '配置存放于',
    'console.indexable': '允许搜索引擎收录',
    'console.oidc.account_id': '新成员加入的账户',
    'console.oidc.allow_private': '允许身份提供方位于内网',
    'console.oidc.client_id': '客户端 ID',
    'console.oidc.client_secret': '客户端密钥',
    'console.oidc.default_role': '默认角色',
    'console.oidc.email_domains': '邮箱域名',
    'console.oidc.issuer': '身份提供方',
    'console.oidc.name': '身份提供方名称',
    'console.oidc.new_people': '新成员',
    'console.oidc.role_claim': '决定角色的声明',
    'console.oidc.roles.administrator': '管理员对应的声明值',
    'console.oidc.roles.member': '成员对应的声明值',
    'console.oidc.roles.owner': '所有者对应的声明值',
    'console.oidc.roles.read_only': '只读角色对应的声明值',
    'console.oidc.scopes': '授权范围',
    'console.passkeys': '允许通行密钥登录',
    'console.password_sign_in': '允许密码登录',
    'console.require_totp': '管理员强制两步验证',
    'console.secret': '会话密钥',
    'console.session_idle': '会话闲置超时',
    'console.session_max': '会话最长时长',
    'console.sign_up': '注册方式',
    data_dir: '数据目录',
    database: '数据库',
    database_direct: '数据库直连地址',
    database_replica: '报表只读副本',
    file: '配置文件',
    'fx.USD/CNY': 'USD 兑 CNY 汇率',
    'health.probe': '探测失败的路由',
    'health.probe_after': '故障多久后探测',
    'images.access_key_id': '访问密钥 ID',
    'images.bucket': '存储桶',
    'images.endpoint': '图像存储地址',
    'images.prefix': '存储桶内前缀',
    'images.region': '区域',
    'images.secret_access_key': '秘密访问密钥',
    'images.store': '图像存储',
    'images.url_ttl': '图像链接有效期',
    'init.credit': '初始余额',
    'init.key': '初始 API 密钥',
    'limits.answer_size': '回答大小上限',
    'limits.careful_answers': '超出预扣后的串行请求数',
    'limits.connect_timeout': '连接超时',
    'limits.count_tokens_per_minute': '每分钟 token 计数请求数',
    'limits.drain': '停机时完成请求的时间',
    'limits.drain_notice': '停机前的预告时间',
    'limits.event_size': '单个流式事件大小上限',
    'limits.first_byte_timeout': '首字节超时',
    'limits.first_event_hold': '返回 200 前等待首个事件的时间',
    'limits.idle_timeout': '流式空闲超时',
    'limits.image_status_hold': '返回 200 前等待图像的时间',
    'limits.keep_alive': '保活间隔',
    'limits.read_on': '调用方断开后继续读取的最长时间',
    'limits.request_bytes': '请求体内存上限',
    'limits.requests_per_address': '单个客户端地址的并发请求数',
    'limits.stall_timeout': '流式停滞超时',
    'limits.total_timeout': '请求总超时',
    listen: '监听地址',
    'log.level': '日志级别',
    'log.requests': '记录请求日志',
    'mail.from': '发件地址',
    'mail.host': '邮件服务器',
    'mail.password': '邮件密码',
    'mail.port': '邮件服务器端口',
    'mail.reply_to': '回复地址',
    'mail.tls': '邮件加密方式',
    'mail.user': '邮件用户名',
    'metrics.listen': '指标监听地址',
    models: '模型',
    node_name: '节点名称',
    'payments.stripe.api_base': 'Stripe API 地址',
    'payments.stripe.max.CNY': 'CNY 单笔付款上限',
    'payments.stripe.max.USD': 'USD 单笔付款上限',
    'payments.stripe.min.CNY': 'CNY 单笔付款下限',
    'payments.stripe.min.USD': 'USD 单笔付款下限',
    'payments.stripe.secret_key': 'Stripe 密钥',
    'payments.stripe.webhook_secret': 'Stripe Webhook 密钥',
    public_url: '公开地址',
    'retention.alerts': '提醒保留时长',
    'retention.holds': '已结束的预扣保留时长',
    'retention.mail': '邮件投递记录保留时长',
    'retention.prompts': '提示词日志保留时长',
    'retention.reconciliations': '账单比对保留时长',
    'retention.refusals': '被拒绝的请求保留时长',
    share_port: '多进程共用端口',
    'status.public': '公开状态页',
    'top_ups.bonuses.CNY': 'CNY 银行卡充值赠送',
    'top_ups.bonuses.USD': 'USD 银行卡充值赠送',
    'tracing.endpoint': '链路追踪地址',
    'tracing.sample': '链路追踪采样率',
    'tracing.service_name': '链路追踪服务名',
    trusted_proxies: '可信代理层数',
  },
});

/**
 * Returns a function that names a setting. A setting without its own name gets one from its path:
 * `upstreams.azure.base_url` becomes `Base url (azure)`.
 */
export function useSettingName(): (path: string) => string {
  const t = useTexts(settingTexts);
  return (path) => (hasText(settingTexts, path) ? t(path) : nameOfPath(path));
}

export type FieldWords = {
  readonly name: string;
  /** The description of the field; null if its name says enough. */
  readonly help: string | null;
  /**
   * The displayed path. For a setting of an upstream or model, the path within the upstream or
   * model.
   */
  readonly path: string;
};

/** Returns a function that returns the name, description and path of a form field. */
export function useFieldWords(): (field: SettingField) => FieldWords {
  const nameOf = useSettingName();
  const help = useTexts(settingHelp);
  const recordName = useTexts(recordNames);
  const recordHelps = useTexts(recordHelp);
  return (field) => {
    const path = pathOf(field);
    if (!isOfRecord(field)) {
      return { name: nameOf(path), help: hasText(settingHelp, path) ? help(path) : null, path };
    }
    const inner = keysInRecord(field).join('.');
    const key = `${field.keys[0]}.${inner}`;
    return {
      name: hasText(recordNames, key) ? recordName(key) : nameOfPath(path),
      help: hasText(recordHelp, key) ? recordHelps(key) : null,
      path: inner,
    };
  };
}

export function nameOfPath(path: string): string {
  const [, ...inner] = path.split('.');
  const last = (inner.pop() ?? path).replaceAll('_', ' ');
  const name = last.charAt(0).toUpperCase() + last.slice(1);
  return inner.length === 0 ? name : `${name} (${inner.join('.')})`;
}

/** The headings of the topics of settings. */
export const topicTexts = defineTexts('admin-setting-topics', {
  en: {
    general: 'General',
    signIn: 'Sign-in and visibility',
    requests: 'Requests and limits',
    money: 'Payments, alerts and email',
    monitoring: 'Monitoring',
    upstreams: 'Models and upstreams',
    connection: 'Connection',
    credentials: 'Credentials',
    behavior: 'Behavior of the server',
    reconcile: 'Reconciliation',
    shown: 'Name and description',
    abilities: 'Sizes and capabilities',
    timeouts: 'Timeouts',
    bounds: 'Token limits for holds',
  },
  zh: {
    general: '通用',
    signIn: '登录与可见性',
    requests: '请求与限额',
    money: '付款、提醒与邮件',
    monitoring: '监控',
    upstreams: '模型与上游',
    connection: '连接',
    credentials: '凭据',
    behavior: '服务器特性',
    reconcile: '对账',
    shown: '名称与说明',
    abilities: '规格与能力',
    timeouts: '超时',
    bounds: '预扣 token 上限',
  },
});
