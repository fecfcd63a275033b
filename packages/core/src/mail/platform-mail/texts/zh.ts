import { failureLines, type MailTexts, megabytesIn } from './texts.ts';

const megabytes = megabytesIn('zh');

const disabledReasons = {
  PAYMENT_FAILED: '付款失败。支付未结账单后，项目将重新启用。',
  EMAIL_REPUTATION:
    '过多邮件被退回或被标记为垃圾邮件。请删除过期的地址，并确保每位收件人都已同意接收您的邮件。',
  PHISHING_DETECTED: '该项目的邮件被举报为钓鱼邮件。',
  MANUAL: '本系统的管理员停用了该项目。',
};

const endpointReasons = {
  GONE: '它返回了状态 410（Gone），表示不再接收事件。',
  FAILING: '连续 5 天，发往它的请求均未成功。',
};

const guardReasons = {
  guard_bounces: '退回的邮件过多：列表中有不存在的地址。',
  guard_complaints: '被标记为垃圾邮件的邮件过多。',
  guard_unsubscribes: '退订的收件人过多。',
  forgotten: '那是 7 天前的事，此后一直没有恢复。',
};

export const zh: MailTexts = {
  findingFailed: ({ check, found, cause, action }) => ({
    subject: `您的安装有一项检查未通过：${check}`,
    paragraphs: [found, cause, action].filter((text) => text !== ''),
    button: '打开 Postrider',
    note: '每项检查每天最多发送一封此邮件。',
  }),
  copyLink: '或将此地址复制到浏览器中：',
  verification: () => ({
    subject: '请验证您的邮箱地址',
    paragraphs: ['请确认这是您的邮箱地址，以完成 Postrider 账户的设置。'],
    button: '验证邮箱地址',
    note: '此链接在 24 小时内有效。如果您没有注册，请忽略此邮件。',
  }),
  passwordReset: () => ({
    subject: '重置您的密码',
    paragraphs: ['有人为您的 Postrider 账户申请了新密码。'],
    button: '设置新密码',
    note: '此链接在 1 小时内有效。如果不是您本人申请的，请忽略此邮件，您的密码不会改变。',
  }),
  accountDeletion: () => ({
    subject: '删除您的 Postrider 账户',
    paragraphs: [
      '有人在您的 Postrider 账户中申请删除该账户。',
      '请在您已登录的浏览器中打开链接，并在那里确认。账户删除后无法恢复。',
    ],
    button: '删除账户',
    note: '此链接在 1 小时内有效。如果不是您本人申请的，请忽略此邮件，并结束您不认识的会话；您的账户不会改变。',
  }),
  invitation: ({ project, inviter }) => {
    const named = project === null ? '一个项目' : `项目“${project}”`;
    return {
      subject: `邀请您加入${named}`,
      paragraphs: [`${inviter} 邀请您参与 Postrider 中的${named}。`],
      button: '接受邀请',
      note: '此邀请在 7 天内有效，且仅限此邮箱地址使用。',
    };
  },
  projectDisabled: ({ project, reason }) => ({
    subject: `${project} 已停用`,
    paragraphs: [
      `项目“${project}”不再发送邮件。已安排的营销活动和正在运行的工作流均已结束。`,
      disabledReasons[reason],
    ],
    button: '打开项目',
  }),
  projectEnabled: ({ project }) => ({
    subject: `${project} 已重新启用`,
    paragraphs: [`项目“${project}”可以再次发送邮件。已结束的营销活动和工作流不会恢复。`],
    button: '打开项目',
  }),
  domainVerified: ({ domain }) => ({
    subject: `${domain} 已通过验证`,
    paragraphs: [`已找到 ${domain} 的 DNS 记录。您现在可以使用该域名的地址发送邮件。`],
    button: '打开域名',
  }),
  domainLost: ({ domain }) => ({
    subject: `${domain} 不再处于已验证状态`,
    paragraphs: [`连续三次检查均缺少 ${domain} 的 DNS 记录。在记录恢复之前，使用该域名发送的邮件将被拒绝。`],
    button: '打开域名',
  }),
  domainAddedElsewhere: ({ domain }) => ({
    subject: `${domain} 已被添加到另一个项目`,
    paragraphs: [
      `本项目的一位所有者或管理员已将 ${domain} 添加到另一个项目。找到该项目自己的 DNS 记录后，它即可使用该域名发送邮件。`,
      '如果您对此不知情，请检查本项目的成员。',
    ],
    button: '打开域名',
  }),
  endpointDisabled: ({ project, url, reason }) => ({
    subject: `${project} 的一个 Webhook 端点已停用`,
    paragraphs: [url, endpointReasons[reason], '事件不再为其排队。待处理的投递将等待该端点重新启用。'],
    button: '打开 Webhook',
  }),
  renderLimit: ({ subject, isThird }) => ({
    subject: '您项目中的一封邮件生成时间过长',
    paragraphs: [
      `生成主题为“${subject}”的邮件所用的时间或内存超出了单封邮件的限额。`,
      '邮件仍会发送：变量会被填入，但循环、条件等标签以及带过滤器的输出会被省略。请简化模板，以便完整发送。',
      ...(isThird
        ? [
            '您的项目中已有三封邮件在一小时内达到此限额。在接下来的一小时内，新邮件中的标签和过滤器也会直接省略，不再尝试。',
          ]
        : []),
    ],
    button: '打开邮件',
  }),
  requestsUnconfirmed: ({ project }) => ({
    subject: `${project} 的订阅登记已暂停`,
    paragraphs: [
      `今天有太多人通过邮件被询问是否订阅 ${project} 而没有确认，因此暂时不再接受新的登记。`,
      '常见原因是有程序用他人的地址填写表单。随着人们确认，或一天之后，会重新接受登记。请检查您的表单放在哪些页面上。',
    ],
    button: '打开表单',
  }),
  reportsUnproven: ({ project }) => ({
    subject: `有关 ${project} 的报告未经证实`,
    paragraphs: [
      `有关 ${project} 邮件的退信或垃圾邮件投诉本会导致该项目被停用，但这些报告未经证实：任何持有其中一封邮件的人都可能写出这些报告。`,
      '报告中的地址将不再收到邮件。项目会继续发送。请确认收件人已同意接收您的邮件。',
    ],
    button: '打开信誉',
  }),
  emailRefused: ({ project, refusal, count }) => ({
    subject: `${project} 的邮件被接收服务器拒绝`,
    paragraphs: [
      {
        blocked: `过去 7 天内，${project} 有 ${count} 封邮件因发送服务器或域名的信誉被拦截。请只向已同意的人发送，并移除从不回应的地址；如果服务器在黑名单中，请让其运营者申请移除。`,
        authentication: `过去 7 天内，${project} 有 ${count} 封邮件因无法验证发件人被拒绝。请在域名页面检查其 SPF、DKIM 和 DMARC 记录。`,
        content: `过去 7 天内，${project} 有 ${count} 封邮件因内容被拒绝。请检查邮件中的链接、附件和措辞。`,
      }[refusal],
      '相关地址会被保留，项目会继续发送。',
    ],
    button: refusal === 'authentication' ? '打开域名' : '打开信誉',
  }),
  executionsFailed: ({ project, workflow, count, groups }) => ({
    subject: `“${workflow}”的执行失败`,
    paragraphs: [
      `过去 24 小时内，项目 ${project} 的工作流“${workflow}”有 ${count} 次执行失败。最常见的原因：`,
      ...failureLines(groups, (step) => `“${step}”`),
      '修正原因后可以重试：每次执行都会从失败的步骤继续。此邮件每天最多发送一次。',
    ],
    button: '打开失败的执行',
  }),
  workflowDisabled: ({ project, workflow, step, failed, visits }) => ({
    subject: `“${workflow}”已被停用`,
    paragraphs: [
      `项目 ${project} 的工作流“${workflow}”已被停用，因为失败的执行过多：在步骤“${step}”，${visits} 次中有 ${failed} 次失败。`,
      '现在不会再有人进入；已在其中的人会继续。请修正该步骤，重试失败的执行，然后重新启用工作流。',
    ],
    button: '打开失败的执行',
  }),
  campaignPaused: ({ project, campaign, reason, sent, total }) => ({
    subject: `“${campaign}”已暂停`,
    paragraphs: [
      `项目 ${project} 的营销活动“${campaign}”在发送 ${total} 封中的 ${sent} 封邮件后已暂停。`,
      guardReasons[reason],
      '在您恢复之前，不会再发送其余邮件。请先查看收件人；其余邮件也可以取消。',
    ],
    button: '打开营销活动',
  }),
  testUndecided: ({ project, campaign, isMismatch }) => ({
    subject: `“${campaign}”等待您的决定`,
    paragraphs: [
      `项目 ${project} 的活动“${campaign}”的测试已结束。`,
      ...(isMismatch ? ['各版本的送达数量差异过大，不像偶然，因此比较的可能不只是内容。'] : []),
      '在您选择版本之前，测试之外的收件人不会收到任何邮件。也可以取消发送。',
    ],
    button: '打开活动',
  }),
  approvalRequested: ({ project }) => ({
    subject: `${project} 中有程序请求批准`,
    paragraphs: [
      `使用 ${project} 密钥的程序请求您同意一项会发送邮件或进行大量更改的操作。在您决定之前不会执行任何操作。`,
    ],
    button: '打开批准列表',
  }),
  campaignApprovalRequested: ({ project, campaign }) => ({
    subject: `${project} 的活动等待批准`,
    paragraphs: [
      `${project} 的活动“${campaign}”正在等待一位既未请求批准、也未最后修改该活动的所有者或管理员批准。在此之前不会发送。`,
    ],
    button: '打开批准列表',
  }),
  storageLimit: ({ percent, used, limit }) => ({
    subject: percent === 100 ? '您的存储空间已达上限' : '您的存储空间已使用 80%',
    paragraphs: [
      `您的项目已使用 ${megabytes(used)}，可用总量为 ${megabytes(limit)}。`,
      percent === 100
        ? '在腾出空间之前，新的图片、附件、模板、营销活动、导入、导出以及包含新内容的邮件将被拒绝。已接受的邮件仍会投递。'
        : '超出上限后，新的图片、附件、模板、营销活动、导入、导出以及包含新内容的邮件将被拒绝。',
      '请删除不再需要的图片、模板或导出文件。',
    ],
    button: '打开设置',
  }),
};
