"""`python -m kibitz.assistant`: the kibitz command without its script."""

from kibitz.assistant.cli import main

if __name__ == "__main__":
    main()
