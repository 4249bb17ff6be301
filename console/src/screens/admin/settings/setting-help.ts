/** The description of each setting, by its path in the configuration, and the names of choices. */
import { defineTexts } from '#i18n/texts.ts';

export const settingHelp = defineTexts('admin-setting-help', {
  en: {
    'alerts.account_webhooks': 'Which addresses accounts may use as webhooks for their own alerts.',
    'alerts.allow_private':
      'Whether the webhook of the gateway itself may be in a private network. Webhooks of accounts have their own setting.',
    'alerts.low_balance.CNY':
      'An alert is sent when the balance of a wallet falls below this amount. If not set, no alert is sent. Accounts can set their own threshold.',
    'alerts.low_balance.USD':
      'An alert is sent when the balance of a wallet falls below this amount. If not set, no alert is sent. Accounts can set their own threshold.',
    'alerts.webhook_secret': 'Signs the alerts. Required if a webhook address is set.',
    'alerts.webhook_url': 'The URL to which alerts are sent. Without it, alerts are only logged.',
    'catalogue.public':
      'Whether models and prices are shown to anyone, without a sign-in or API key.',
    'chat.stream_default': 'Applies to chat requests without a “stream” field.',
    'console.indexable': 'Whether search engines may list the public pages.',
    'console.oidc.account_id':
      'The ID of the account that new people join. Required if “New people” is “Join a specific account”.',
    'console.oidc.allow_private': 'Allows an issuer address in a private network, or without TLS.',
    'console.oidc.client_id':
      'The ID of the application that you registered at the identity provider.',
    'console.oidc.client_secret':
      'The secret of the application that you registered at the identity provider.',
    'console.oidc.default_role':
      'The role of people whose claim matches no role. If no role claim is set, the role of new people.',
    'console.oidc.email_domains':
      'Only people with a verified email address at one of these domains may sign in. Separate domains with commas.',
    'console.oidc.issuer': 'The issuer URL, exactly as the identity provider states it.',
    'console.oidc.name': 'Shown on the button of the sign-in page.',
    'console.oidc.new_people': 'What happens when a person signs in for the first time.',
    'console.oidc.role_claim':
      'The claim that sets the role at each sign-in, such as “groups”. If not set, roles are assigned in the gateway.',
    'console.oidc.roles.administrator':
      'Claim values that give this role, separated by commas. If several roles match, the highest applies.',
    'console.oidc.roles.member':
      'Claim values that give this role, separated by commas. If several roles match, the highest applies.',
    'console.oidc.roles.owner':
      'Claim values that give this role, separated by commas. If several roles match, the highest applies.',
    'console.oidc.roles.read_only':
      'Claim values that give this role, separated by commas. If several roles match, the highest applies.',
    'console.oidc.scopes':
      'The scopes to request from the identity provider, separated by spaces. “openid” is required.',
    'console.passkeys':
      "Whether people can add and use passkeys. A passkey keeps working after the identity provider disables the person's account.",
    'console.password_sign_in':
      'Passwords can be turned off only if an identity provider is set. One-time links always work.',
    'console.require_totp':
      'Administrators must set up two-factor authentication before they can do anything else.',
    'console.secret':
      'Signs cookies and encrypts stored two-factor secrets. It must have at least 32 characters and be the same on all nodes.',
    'console.session_idle': 'A person is signed out after this long without activity.',
    'console.session_max': 'A person is signed out this long after signing in, even if active.',
    'console.sign_up': 'Who may create an account. Invited people can always sign up.',
    'fx.USD/CNY': 'How many CNY one USD buys. Used for models that settle in CNY.',
    'health.probe':
      'Whether, after a long outage, a route must pass a small test request before it gets requests of callers.',
    'health.probe_after':
      'After an outage of at least this duration, a route must pass a test request.',
    'images.access_key_id': 'The access key ID for the image store.',
    'images.bucket': 'The bucket that keeps generated images.',
    'images.endpoint': 'The URL of the S3 API of the image store.',
    'images.prefix': 'The prefix of all object names in the bucket.',
    'images.region': 'The region of the bucket, if the store has regions.',
    'images.secret_access_key': 'The secret access key for the image store.',
    'images.store': 'Where generated images are kept.',
    'images.url_ttl': 'How long a generated image can be downloaded.',
    'limits.answer_size': 'The maximum size of a non-streaming answer from a provider.',
    'limits.careful_answers':
      'If an answer costs more than its hold, the account runs one request at a time until this many answers have stayed within their holds. 0 turns this rule off.',
    'limits.connect_timeout': 'How long the gateway waits for a connection to a provider.',
    'limits.count_tokens_per_minute':
      'The maximum number of token-counting requests per minute for each API key. These requests are free.',
    'limits.drain': 'How long a shutdown waits for running requests.',
    'limits.drain_notice':
      'During a shutdown, the gateway first accepts requests for this long while /readyz returns 503. Allow enough time for your proxy to notice the 503.',
    'limits.event_size': "The maximum size of one event in a provider's stream.",
    'limits.first_byte_timeout':
      "How long the gateway waits for a provider's HTTP status. The same limit then applies to the wait for the first event.",
    'limits.first_event_hold':
      'How long the gateway waits for the first event of a stream before it sends status 200. An error during this wait is returned with an error status.',
    'limits.idle_timeout': 'How long a provider may send no data within a stream.',
    'limits.image_bytes':
      'The total memory for image answers. While it is full, answers wait at their providers, and new image requests get error 429.',
    'limits.image_status_hold':
      'How long the gateway waits for an image before it sends status 200. A later error is reported only in the body.',
    'limits.keep_alive':
      'If a stream to the caller has no data for this long, the gateway sends a comment to keep the connection open.',
    'limits.read_on': 'How long the gateway keeps reading an answer after the caller disconnects.',
    'limits.request_bytes':
      'The total memory for the bodies of all running requests. A request that would exceed it gets error 429.',
    'limits.requests_per_address':
      'The maximum number of concurrent requests, including streams, from one client IP address. 0 means no limit.',
    'limits.stall_timeout': 'How long a caller may read no data from a stream.',
    'limits.total_timeout':
      'The maximum time from the first byte of a request to the last byte of its answer.',
    'mail.from': 'The sender address. The sender name is the brand name.',
    'mail.host':
      'The server that sends invitations, password resets, receipts and alerts. If not set, no email is sent.',
    'mail.password': 'The password for the mail server.',
    'mail.port': '587 for STARTTLS, 465 for implicit TLS.',
    'mail.reply_to': 'The address for replies. If empty, replies go to the sender.',
    'mail.tls': 'How the connection to the mail server is encrypted.',
    'mail.user':
      'The user name for the mail server. Leave empty if the server requires no sign-in.',
    'payments.stripe.api_base':
      'For tests only: the address of a server that replaces the public Stripe API.',
    'payments.stripe.max.CNY': 'The maximum amount of one top-up by card.',
    'payments.stripe.max.USD': 'The maximum amount of one top-up by card.',
    'payments.stripe.min.CNY': 'The minimum amount of one top-up by card.',
    'payments.stripe.min.USD': 'The minimum amount of one top-up by card.',
    'payments.stripe.secret_key':
      'With this key and the webhook secret, accounts can top up by card.',
    'payments.stripe.webhook_secret': 'Verifies that payment events come from Stripe.',
    'retention.alerts': 'Also applies to the records of deliveries to account webhooks.',
    'retention.holds':
      'Applies to PostgreSQL only. A finished hold has been charged or released. Receipts are kept.',
    'retention.mail':
      'The log records whether each email was sent, and the reply of the mail server.',
    'retention.prompts':
      'Applies only to accounts and keys with the prompt log turned on. The prompt log is off by default.',
    'retention.reconciliations': "Nightly comparisons of providers' bills with the receipts.",
    'retention.refusals': 'Older refused requests are deleted. They were not charged.',
    'status.public':
      'Whether the status page is shown without signing in. This also requires a public model catalog.',
    'top_ups.bonuses.CNY': 'For example, {"100": "5"} adds 5% to payments of 100 or more.',
    'top_ups.bonuses.USD': 'For example, {"100": "5"} adds 5% to payments of 100 or more.',
  },
  zh: {
    'alerts.account_webhooks': '账户可将哪些地址用作接收自身提醒的 Webhook。',
    'alerts.allow_private': '网关自身的 Webhook 是否可位于内网；账户的 Webhook 另有设置。',
    'alerts.low_balance.CNY': '钱包余额低于此值时发送提醒；未设置表示不提醒。账户可另行设置阈值。',
    'alerts.low_balance.USD': '钱包余额低于此值时发送提醒；未设置表示不提醒。账户可另行设置阈值。',
    'alerts.webhook_secret': '用于为提醒签名；设置 Webhook 地址时必填。',
    'alerts.webhook_url': '提醒发送到的地址；未设置时仅写入日志。',
    'catalogue.public': '是否无需登录或 API 密钥即可查看模型与价格。',
    'chat.stream_default': '用于没有“stream”字段的聊天请求。',
    'console.indexable': '是否允许搜索引擎收录公开页面。',
    'console.oidc.account_id': '新成员加入的账户的 ID。“新成员”为“加入指定账户”时必填。',
    'console.oidc.allow_private': '允许签发者地址位于内网，或不使用 TLS。',
    'console.oidc.client_id': '在身份提供方注册的应用的 ID。',
    'console.oidc.client_secret': '在身份提供方注册的应用的密钥。',
    'console.oidc.default_role':
      '声明不匹配任何角色的成员获得此角色；未设置声明时，新成员也获得此角色。',
    'console.oidc.email_domains': '仅这些域名下已验证的邮箱可以登录。多个域名以逗号分隔。',
    'console.oidc.issuer': '签发者地址，须与提供方声明的完全一致。',
    'console.oidc.name': '显示在登录页的按钮上。',
    'console.oidc.new_people': '新用户首次登录时的处理方式。',
    'console.oidc.role_claim':
      '每次登录时决定角色的声明，例如 groups；未设置时，角色在网关中分配。',
    'console.oidc.roles.administrator':
      '授予此角色的声明值，以逗号分隔。匹配多个角色时，以最高的角色为准。',
    'console.oidc.roles.member':
      '授予此角色的声明值，以逗号分隔。匹配多个角色时，以最高的角色为准。',
    'console.oidc.roles.owner':
      '授予此角色的声明值，以逗号分隔。匹配多个角色时，以最高的角色为准。',
    'console.oidc.roles.read_only':
      '授予此角色的声明值，以逗号分隔。匹配多个角色时，以最高的角色为准。',
    'console.oidc.scopes': '向身份提供方请求的授权范围，以空格分隔，必须包含“openid”。',
    'console.passkeys': '成员是否可以添加和使用通行密钥。身份提供方停用账号后，通行密钥仍可登录。',
    'console.password_sign_in': '仅在已设置身份提供方时可以关闭密码登录。一次性链接始终有效。',
    'console.require_totp': '管理员必须先设置两步验证，才能进行其他操作。',
    'console.secret':
      '用于为 Cookie 签名，并加密保存的两步验证密钥；至少 32 个字符，所有节点须相同。',
    'console.session_idle': '闲置超过此时长后自动退出登录。',
    'console.session_max': '登录超过此时长后，即使一直在使用，也必须重新登录。',
    'console.sign_up': '谁可以注册账户；受邀者始终可以注册。',
    'fx.USD/CNY': '1 USD 兑换的 CNY，用于以人民币结算的模型。',
    'health.probe': '路由长时间故障后，是否必须先通过一次小的测试请求，才能再接收调用方的请求。',
    'health.probe_after': '路由故障达到此时长后，须先通过测试请求。',
    'images.access_key_id': '图像存储的访问密钥 ID。',
    'images.bucket': '保存生成图像的存储桶。',
    'images.endpoint': '图像存储的 S3 API 地址。',
    'images.prefix': '存储桶内所有对象名称的前缀。',
    'images.region': '存储桶所在区域（如有）。',
    'images.secret_access_key': '图像存储的秘密访问密钥。',
    'images.store': '生成的图像保存在何处。',
    'images.url_ttl': '生成的图像可下载的时长。',
    'limits.answer_size': '供应商非流式回答的大小上限。',
    'limits.careful_answers':
      '某次回答的费用超出预扣后，账户一次只能运行一个请求，直到有这么多次回答的费用未超出预扣。0 表示不启用此规则。',
    'limits.connect_timeout': '与供应商建立连接的时限。',
    'limits.count_tokens_per_minute': '每个 API 密钥每分钟的 token 计数请求数上限；这些请求免费。',
    'limits.drain': '停机时等待进行中请求的时长。',
    'limits.drain_notice':
      '停机时，网关在 /readyz 返回 503 后仍接受请求的时长，应长于代理发现 503 所需的时间。',
    'limits.event_size': '供应商流式回答中单个事件的大小上限。',
    'limits.first_byte_timeout':
      '等待供应商返回 HTTP 状态的时限；之后等待首个事件时，重新按此时限计时。',
    'limits.first_event_hold':
      '网关在发送状态码 200 之前，等待流式响应首个事件的时长。此期间发生的错误会返回错误状态码。',
    'limits.idle_timeout': '允许供应商在流式回答中没有输出的最长时间。',
    'limits.image_bytes':
      '所有图像回答共用的内存上限。用满时，回答在供应商处等待，新的图像请求返回 429。',
    'limits.image_status_hold':
      '网关在发送状态码 200 之前，等待图像的时长。此后发生的错误只写在响应体中。',
    'limits.keep_alive': '发给调用方的流式响应超过此时长没有内容时，网关发送一条注释以保持连接。',
    'limits.read_on': '调用方断开后，网关继续读取回答的最长时间。',
    'limits.request_bytes': '所有进行中请求的请求体共用的内存上限；会超出此上限的请求返回 429。',
    'limits.requests_per_address':
      '每个客户端 IP 地址可同时运行的最大请求数，含流式请求。0 表示不限制。',
    'limits.stall_timeout': '允许调用方不读取流式响应的最长时间。',
    'limits.total_timeout': '从请求首字节到回答末字节的最长时间。',
    'mail.from': '邮件的发件地址；显示名称为品牌名称。',
    'mail.host': '用于发送邀请、密码重置、收据和提醒；留空则不发送邮件。',
    'mail.password': '登录邮件服务器的密码。',
    'mail.port': 'STARTTLS 用 587，隐式 TLS 用 465。',
    'mail.reply_to': '回复发往的地址；留空则发往发件地址。',
    'mail.tls': '与邮件服务器的连接如何加密。',
    'mail.user': '登录邮件服务器的用户名；服务器不要求登录时留空。',
    'payments.stripe.api_base': '仅用于测试：代替 Stripe 公共 API 的服务器地址。',
    'payments.stripe.max.CNY': '单次银行卡充值的最高金额。',
    'payments.stripe.max.USD': '单次银行卡充值的最高金额。',
    'payments.stripe.min.CNY': '单次银行卡充值的最低金额。',
    'payments.stripe.min.USD': '单次银行卡充值的最低金额。',
    'payments.stripe.secret_key': '与 Webhook 密钥一同设置后，账户可用银行卡充值。',
    'payments.stripe.webhook_secret': '用于确认付款通知来自 Stripe。',
    'retention.alerts': '也适用于账户 Webhook 的投递记录。',
    'retention.holds':
      '仅适用于 PostgreSQL。已结束的预扣是指已扣费或已释放的预扣；账单明细会保留。',
    'retention.mail': '投递记录包含每封邮件是否已发送，以及邮件服务器的答复。',
    'retention.prompts': '仅适用于开启了提示词日志的账户和密钥；提示词日志默认关闭。',
    'retention.reconciliations': '每晚将上游账单与账单明细比对的结果。',
    'retention.refusals': '被拒绝的请求到期后删除；这些请求没有扣费。',
    'status.public': '是否无需登录即可查看状态页；前提是模型目录也公开。',
    'top_ups.bonuses.CNY': '例如 {"100": "5"} 表示付款满 100 赠送 5%。',
    'top_ups.bonuses.USD': '例如 {"100": "5"} 表示付款满 100 赠送 5%。',
  },
});

export const choiceTexts = defineTexts('admin-setting-choices', {
  en: {
    account: 'Join a specific account',
    always: 'Always stream',
    closed: 'By invitation only',
    implicit: 'Implicit TLS',
    local: 'This machine',
    member: 'Member',
    negotiate: 'Depends on the Accept header',
    never: 'Never stream',
    none: 'No encryption',
    off: 'Not allowed',
    open: 'Anyone',
    own_account: 'Get their own account',
    owner: 'Owner',
    private: 'Public and private addresses',
    public: 'Public addresses only',
    read_only: 'Read-only',
    refuse: 'Refuse the sign-in',
    s3: 'S3 storage',
    starttls: 'STARTTLS',
  },
  zh: {
    account: '加入指定账户',
    always: '始终流式',
    closed: '仅限邀请',
    implicit: '隐式 TLS',
    local: '本机',
    negotiate: '由 Accept 请求头决定',
    member: '成员',
    never: '始终非流式',
    none: '不加密',
    off: '不允许',
    open: '任何人',
    own_account: '创建自己的账户',
    owner: '所有者',
    private: '公网和内网地址',
    public: '仅公网地址',
    read_only: '只读',
    refuse: '不允许登录',
    s3: 'S3 存储',
    starttls: 'STARTTLS 加密',
  },
});
