//! Mail for users who forgot their password. The connection to the mail server of the settings is the only one that
//! the site itself opens.

use std::time::Duration;

use lettre::message::Mailbox;
use lettre::message::header::ContentType;
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{Tls, TlsParameters};
use lettre::{Address, Message, SmtpTransport, Transport as _};

use crate::config::{Smtp, SmtpSecurity};

/// A mail that cannot be sent, or settings of a mail server that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum MailError {
    /// The host of the mail server.
    #[error("smtp_host: {0}")]
    Host(lettre::transport::smtp::Error),
    /// The address of the sender.
    #[error("smtp_from: '{0}' is not a mail address")]
    From(String),
    /// The address of the recipient.
    #[error("the recipient has no mail address")]
    To,
    /// The message has no valid form.
    #[error(transparent)]
    Message(#[from] lettre::error::Error),
    /// The mail server did not accept the message.
    #[error(transparent)]
    Server(#[from] lettre::transport::smtp::Error),
    /// The task that sends the message was aborted.
    #[error(transparent)]
    Task(#[from] tokio::task::JoinError),
}

/// Sends mail through the mail server of the settings.
#[derive(Debug, Clone)]
pub struct Mail {
    transport: SmtpTransport,
    from: Address,
}

/// Checks a mail address that a user entered. The type refuses line breaks and other characters that could start a
/// header.
///
/// # Errors
/// The reason why the address is not valid.
pub fn address(text: &str) -> Result<String, &'static str> {
    if text.len() > 254 || text.chars().any(|c| c.is_control() || c.is_whitespace()) {
        return Err("this is not a mail address");
    }
    text.parse::<Address>().map(|address| address.to_string()).map_err(|_| "this is not a mail address")
}

impl Mail {
    /// Prepares the connection to the mail server of the settings. Nothing is sent yet.
    ///
    /// # Errors
    /// When a setting cannot be used.
    pub fn new(smtp: &Smtp) -> Result<Mail, MailError> {
        let tls = || TlsParameters::new(smtp.host.clone()).map_err(MailError::Host);
        let security = match smtp.security {
            SmtpSecurity::Tls => Tls::Wrapper(tls()?),
            SmtpSecurity::StartTls => Tls::Required(tls()?),
            SmtpSecurity::None => Tls::None,
        };
        let mut builder = SmtpTransport::builder_dangerous(&smtp.host)
            .port(smtp.port)
            .tls(security)
            .timeout(Some(Duration::from_secs(20)));
        if let Some((user, password)) = &smtp.login {
            builder = builder.credentials(Credentials::new(user.clone(), password.0.clone()));
        }
        let from = smtp.from.parse().map_err(|_| MailError::From(smtp.from.clone()))?;
        Ok(Mail { transport: builder.build(), from })
    }

    /// Sends a plain text. It takes as long as the mail server takes: call it from a separate task.
    ///
    /// # Errors
    /// The reason why the message was not sent, for the log.
    pub async fn send(&self, to: &str, subject: String, text: String) -> Result<(), MailError> {
        let to: Address = to.parse().map_err(|_| MailError::To)?;
        let message = Message::builder()
            .from(Mailbox::new(Some("Agon".to_owned()), self.from.clone()))
            .to(Mailbox::new(None, to))
            .subject(subject)
            .header(ContentType::TEXT_PLAIN)
            .body(text)?;
        let transport = self.transport.clone();
        tokio::task::spawn_blocking(move || transport.send(&message)).await??;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_cannot_become_headers() {
        assert_eq!(address("ada@example.org"), Ok("ada@example.org".to_owned()));
        let long = format!("{}@example.org", "a".repeat(300));
        for bad in [
            "",
            "ada",
            "a@b\r\nBcc: c@d",
            "a@b\nSubject: x",
            "Ada <ada@example.org>",
            "a@b, c@d",
            "a b@c.d",
            long.as_str(),
        ] {
            assert!(address(bad).is_err(), "{bad:?}");
        }
    }
}
