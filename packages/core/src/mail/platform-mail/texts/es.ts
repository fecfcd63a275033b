import { failureLines, type MailTexts, megabytesIn } from './texts.ts';

const megabytes = megabytesIn('es');

const disabledReasons = {
  PAYMENT_FAILED: 'Un pago ha fallado. Paga la factura pendiente y el proyecto se volverá a activar.',
  EMAIL_REPUTATION:
    'Demasiados correos fueron devueltos o marcados como spam. Elimina las direcciones obsoletas y asegúrate de que todos los destinatarios hayan aceptado recibir tus correos.',
  PHISHING_DETECTED: 'Sus correos se denunciaron como phishing.',
  MANUAL: 'Un administrador de esta instalación lo ha desactivado.',
};

const endpointReasons = {
  GONE: 'Respondió con el estado 410 (Gone), lo que significa que ya no acepta eventos.',
  FAILING: 'Ninguna de las solicitudes que se le enviaron ha tenido éxito en los últimos 5 días.',
};

const guardReasons = {
  guard_bounces: 'Demasiados han rebotado: la lista contiene direcciones que no existen.',
  guard_complaints: 'Demasiados se han marcado como spam.',
  guard_unsubscribes: 'Demasiados destinatarios se han dado de baja.',
  forgotten: 'Eso fue hace 7 días y no se ha reanudado desde entonces.',
};

export const es: MailTexts = {
  findingFailed: ({ check, found, cause, action }) => ({
    subject: `Ha fallado una comprobación de su instalación: ${check}`,
    paragraphs: [found, cause, action].filter((text) => text !== ''),
    button: 'Abrir Postrider',
    note: 'Recibirá este correo como máximo una vez al día por cada comprobación.',
  }),
  copyLink: 'O copia esta dirección en tu navegador:',
  verification: () => ({
    subject: 'Verifica tu dirección de correo',
    paragraphs: [
      'Confirma que esta es tu dirección de correo para terminar de configurar tu cuenta de Postrider.',
    ],
    button: 'Verificar la dirección',
    note: 'El enlace es válido durante 24 horas. Si no te has registrado, puedes ignorar este correo.',
  }),
  passwordReset: () => ({
    subject: 'Restablece tu contraseña',
    paragraphs: ['Se ha solicitado una contraseña nueva para tu cuenta de Postrider.'],
    button: 'Establecer una contraseña nueva',
    note: 'El enlace es válido durante una hora. Si no la has solicitado, ignora este correo; tu contraseña no cambiará.',
  }),
  accountDeletion: () => ({
    subject: 'Elimina tu cuenta de Postrider',
    paragraphs: [
      'Se ha solicitado en tu cuenta de Postrider que se elimine.',
      'Abre el enlace en el navegador en el que has iniciado sesión y confírmalo allí. Una cuenta eliminada no se puede recuperar.',
    ],
    button: 'Eliminar la cuenta',
    note: 'El enlace es válido durante una hora. Si no lo has solicitado, ignora este correo y cierra las sesiones que no reconozcas; tu cuenta no cambiará.',
  }),
  invitation: ({ project, inviter }) => {
    const named = project === null ? 'un proyecto' : `el proyecto «${project}»`;
    return {
      subject: `Invitación a ${named}`,
      paragraphs: [`${inviter} te invita a colaborar en ${named} en Postrider.`],
      button: 'Aceptar la invitación',
      note: 'La invitación es válida durante 7 días y solo para esta dirección de correo.',
    };
  },
  projectDisabled: ({ project, reason }) => ({
    subject: `${project} está desactivado`,
    paragraphs: [
      `El proyecto ${project} ya no envía correos. Las campañas programadas y los flujos de trabajo en curso han finalizado.`,
      disabledReasons[reason],
    ],
    button: 'Abrir el proyecto',
  }),
  projectEnabled: ({ project }) => ({
    subject: `${project} vuelve a estar activado`,
    paragraphs: [
      `El proyecto ${project} puede volver a enviar correos. Las campañas y los flujos de trabajo que finalizaron no se reanudan.`,
    ],
    button: 'Abrir el proyecto',
  }),
  domainVerified: ({ domain }) => ({
    subject: `${domain} está verificado`,
    paragraphs: [
      `Se han encontrado los registros DNS de ${domain}. Ya puedes enviar correos desde direcciones de este dominio.`,
    ],
    button: 'Abrir el dominio',
  }),
  domainLost: ({ domain }) => ({
    subject: `${domain} ya no está verificado`,
    paragraphs: [
      `Faltaban registros DNS de ${domain} en tres comprobaciones seguidas. Los correos desde este dominio se rechazarán hasta que los registros se restablezcan.`,
    ],
    button: 'Abrir el dominio',
  }),
  domainAddedElsewhere: ({ domain }) => ({
    subject: `${domain} se ha añadido a otro proyecto`,
    paragraphs: [
      `Un propietario o administrador de este proyecto ha añadido ${domain} a otro proyecto, que podrá enviar desde el dominio en cuanto se encuentre su propio registro DNS.`,
      'Si no lo esperabas, revisa los miembros de este proyecto.',
    ],
    button: 'Abrir el dominio',
  }),
  endpointDisabled: ({ project, url, reason }) => ({
    subject: `Se ha desactivado un endpoint de webhook de ${project}`,
    paragraphs: [
      url,
      endpointReasons[reason],
      'Ya no se ponen eventos en cola para él. Las entregas pendientes esperan hasta que el endpoint se vuelva a activar.',
    ],
    button: 'Abrir los webhooks',
  }),
  renderLimit: ({ subject, isThird }) => ({
    subject: 'Un correo de tu proyecto tarda demasiado en generarse',
    paragraphs: [
      `Generar el correo con el asunto «${subject}» ha requerido más tiempo o memoria de lo permitido para un correo.`,
      'Se envía de todos modos: las variables se rellenan, pero se omiten las etiquetas como bucles y condiciones, y los valores con filtros. Simplifica la plantilla para que se envíe completo.',
      ...(isThird
        ? [
            'Tres correos de tus proyectos han alcanzado este límite en una hora. Durante una hora, las etiquetas y los filtros también se omiten en los correos nuevos, sin intentarlo antes.',
          ]
        : []),
    ],
    button: 'Abrir los correos',
  }),
  requestsUnconfirmed: ({ project }) => ({
    subject: `Las suscripciones a ${project} están en pausa`,
    paragraphs: [
      `Hoy se ha preguntado por correo a tantas personas si quieren suscribirse a ${project} sin que lo hayan confirmado que por ahora no se aceptan más.`,
      'La causa habitual son programas que rellenan los formularios con direcciones ajenas. Se vuelven a aceptar a medida que las personas confirman, o pasado un día. Comprueba en qué páginas están tus formularios.',
    ],
    button: 'Abrir los formularios',
  }),
  reportsUnproven: ({ project }) => ({
    subject: `Los informes sobre ${project} no están probados`,
    paragraphs: [
      `Rebotes o quejas de spam sobre los correos de ${project} lo habrían desactivado, pero los informes no están probados: podría haberlos escrito cualquiera que tenga uno de sus correos.`,
      'Las direcciones indicadas ya no reciben correo. El proyecto sigue enviando. Compruebe que los destinatarios hayan aceptado recibir sus correos.',
    ],
    button: 'Abrir la reputación',
  }),
  emailRefused: ({ project, refusal, count }) => ({
    subject: `Los servidores de destino rechazan correos de ${project}`,
    paragraphs: [
      {
        blocked: `En los últimos 7 días se bloquearon ${count} correos de ${project} por la reputación del servidor o del dominio de envío. Envíe solo a quienes lo hayan aceptado y elimine las direcciones que nunca reaccionan; si el servidor está en una lista de bloqueo, pida a su operador que lo retire.`,
        authentication: `En los últimos 7 días se rechazaron ${count} correos de ${project} porque no se pudo autenticar al remitente. Compruebe los registros SPF, DKIM y DMARC de su dominio en su página.`,
        content: `En los últimos 7 días se rechazaron ${count} correos de ${project} por su contenido. Revise los enlaces, los adjuntos y el texto de sus envíos.`,
      }[refusal],
      'Las direcciones afectadas se conservan y el proyecto sigue enviando.',
    ],
    button: refusal === 'authentication' ? 'Abrir los dominios' : 'Abrir la reputación',
  }),
  executionsFailed: ({ project, workflow, count, groups }) => ({
    subject: `Fallan ejecuciones de «${workflow}»`,
    paragraphs: [
      `En las últimas 24 horas han fallado ${count} ejecuciones del flujo de trabajo «${workflow}» del proyecto ${project}. Lo más frecuente:`,
      ...failureLines(groups, (step) => `«${step}»`),
      'Cuando se corrija la causa, se pueden reintentar: cada una continúa en el paso en el que falló. Recibe este correo como máximo una vez al día.',
    ],
    button: 'Abrir las ejecuciones fallidas',
  }),
  workflowDisabled: ({ project, workflow, step, failed, visits }) => ({
    subject: `«${workflow}» se ha desactivado`,
    paragraphs: [
      `El flujo de trabajo «${workflow}» del proyecto ${project} se ha desactivado porque han fallado demasiadas ejecuciones: ${failed} de ${visits} en el paso «${step}».`,
      'Ahora no entra nadie; quienes están dentro continúan. Corrija el paso, reintente lo que ha fallado y vuelva a activar el flujo de trabajo.',
    ],
    button: 'Abrir las ejecuciones fallidas',
  }),
  campaignPaused: ({ project, campaign, reason, sent, total }) => ({
    subject: `«${campaign}» se ha pausado`,
    paragraphs: [
      `La campaña «${campaign}» del proyecto ${project} se ha pausado después de ${sent} de ${total} correos.`,
      guardReasons[reason],
      'No se envía nada más hasta que la reanude. Revise antes los destinatarios; el resto también se puede cancelar.',
    ],
    button: 'Abrir la campaña',
  }),
  testUndecided: ({ project, campaign, isMismatch }) => ({
    subject: `«${campaign}» espera su decisión`,
    paragraphs: [
      `La prueba de la campaña «${campaign}» del proyecto ${project} ha terminado.`,
      ...(isMismatch
        ? [
            'Las variantes llegaron en partes demasiado desiguales para ser casualidad; quizá se comparó algo distinto de su contenido.',
          ]
        : []),
      'Los destinatarios fuera de la prueba no reciben nada hasta que usted elija una variante. También se pueden cancelar.',
    ],
    button: 'Abrir la campaña',
  }),
  approvalRequested: ({ project }) => ({
    subject: `Un programa pide aprobación en ${project}`,
    paragraphs: [
      `Un programa que usa una clave de ${project} le pide que acepte algo que enviaría correos o cambiaría muchos datos. No se hace nada antes de que usted decida.`,
    ],
    button: 'Abrir las aprobaciones',
  }),
  campaignApprovalRequested: ({ project, campaign }) => ({
    subject: `Una campaña de ${project} espera su aprobación`,
    paragraphs: [
      `La campaña «${campaign}» de ${project} espera la aprobación de un propietario o administrador que no la haya pedido ni haya hecho el último cambio. No se envía antes.`,
    ],
    button: 'Abrir las aprobaciones',
  }),
  storageLimit: ({ percent, used, limit }) => ({
    subject:
      percent === 100
        ? 'Se ha alcanzado tu límite de almacenamiento'
        : 'Se ha alcanzado el 80 % de tu límite de almacenamiento',
    paragraphs: [
      `Tus proyectos ocupan ${megabytes(used)} de los ${megabytes(limit)} disponibles.`,
      percent === 100
        ? 'Las nuevas imágenes, adjuntos, plantillas, campañas, importaciones, exportaciones y correos con contenido nuevo se rechazan hasta que vuelva a haber espacio. Los correos ya aceptados se entregan.'
        : 'Por encima del límite se rechazan las nuevas imágenes, adjuntos, plantillas, campañas, importaciones, exportaciones y correos con contenido nuevo.',
      'Elimina las imágenes, plantillas o exportaciones que ya no necesites.',
    ],
    button: 'Abrir los ajustes',
  }),
};
