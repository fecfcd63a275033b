import type { PageTexts } from './texts.ts';

export const es: PageTexts = {
  unsubscribe: {
    title: '¿Darte de baja de {project}?',
    lead: 'Dejaremos de enviar boletines y ofertas a {email}.',
    button: 'Darme de baja',
  },
  subscribe: {
    title: '¿Suscribirte a {project}?',
    lead: 'Recibirás novedades y ofertas en {email}.',
    button: 'Suscribirme',
  },
  snooze: {
    title: 'Hacer una pausa',
    lead: 'No recibirás nada durante un tiempo. Después, los correos volverán por sí solos.',
    '2w': '2 semanas',
    '1m': '1 mes',
    '6m': '6 meses',
    '1y': '1 año',
  },
  manage: {
    title: 'Preferencias de correo',
    lead: 'Elige qué envía {project} a {email}.',
    link: 'Ver todas las opciones',
  },
  state: {
    subscribed: 'Tu suscripción está activa.',
    unsubscribed: 'Te has dado de baja.',
    snoozed: 'Los correos están en pausa hasta el {date}.',
  },
  done: {
    subscribed: 'Volverás a recibir los correos de {project} en {email}.',
    unsubscribed:
      'Ya no enviaremos boletines ni ofertas a {email}. Aún podrían llegarte mensajes sobre tus pedidos o tu cuenta.',
    changedMind: '¿Has cambiado de opinión?',
  },
  test: 'Este enlace viene de un correo de prueba. No cambia nada.',
  notMe: {
    title: '¿Esta cuenta no es suya?',
    lead: 'Alguien se ha registrado en {host} con {email}. Si no ha sido usted, quitaremos la dirección de esa cuenta, desactivaremos sus proyectos y no le enviaremos nada más.',
    button: 'No he sido yo',
    done: '{email} ya no pertenece a esa cuenta. Sus proyectos están desactivados.',
  },
  notFound: {
    title: 'Este enlace no funciona',
    text: 'Puede que esté incompleto o que ya no sea válido. Usa el enlace del último correo que recibiste.',
  },
  blocked: {
    title: 'Este enlace se ha desactivado',
    text: 'Los correos que lo contenían se denunciaron como intento de fraude. No introduzcas contraseñas ni datos de pago en las páginas a las que llevaban.',
  },
  badChoice: {
    title: 'No hemos entendido esa opción',
    text: 'No se ha cambiado nada. Elige de nuevo.',
  },
  failure: {
    title: 'Algo ha salido mal',
    text: 'El error es nuestro. Inténtalo de nuevo en un momento.',
  },
};
