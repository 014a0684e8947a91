//! Text with colours for a terminal.

/// The colours a board is drawn with: those every terminal has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Colour {
    /// The terminal's own.
    Plain,
    /// Faint, for what matters least.
    Dim,
    /// Player 0.
    Red,
    /// Things that grow.
    Green,
    /// Things to pick up.
    Yellow,
    /// Player 1.
    Blue,
    /// Player 2, neutral things.
    Magenta,
    /// Water, player 3.
    Cyan,
    /// What matters most.
    Bright,
}

impl Colour {
    /// The colour that stands for a seat.
    pub const fn of_seat(seat: u8) -> Colour {
        [Colour::Red, Colour::Blue, Colour::Magenta, Colour::Cyan][seat as usize % 4]
    }

    const fn code(self) -> &'static str {
        match self {
            Colour::Plain => "0",
            Colour::Dim => "2",
            Colour::Red => "1;31",
            Colour::Green => "32",
            Colour::Yellow => "33",
            Colour::Blue => "1;34",
            Colour::Magenta => "1;35",
            Colour::Cyan => "36",
            Colour::Bright => "1",
        }
    }
}

/// Collects text; colours are left out where the output does not show them.
#[derive(Clone, Debug)]
pub struct Painter {
    colours: bool,
    text: String,
}

impl Painter {
    /// An empty picture.
    pub const fn new(colours: bool) -> Self {
        Painter { colours, text: String::new() }
    }

    /// Appends text in a colour.
    pub fn put(&mut self, colour: Colour, text: &str) {
        if self.colours && colour != Colour::Plain {
            self.text.push_str("\x1b[");
            self.text.push_str(colour.code());
            self.text.push('m');
            self.text.push_str(text);
            self.text.push_str("\x1b[0m");
        } else {
            self.text.push_str(text);
        }
    }

    /// Appends a line feed.
    pub fn line(&mut self) {
        self.text.push('\n');
    }

    /// The picture.
    pub fn finish(self) -> String {
        self.text
    }
}
